! Values of specifiers, bounds of implied DOs and of pointers, addresses of C, and more intrinsics.
subroutine io(n, c)
  use iso_c_binding
  implicit none
  integer :: n, k(3), i, u
  real :: x, a(3), f
  character(4) :: c, w(3)
  logical :: l
  type(c_ptr) :: p
  type(c_funptr) :: q
  integer, pointer :: ip, iv(:)
  real, target :: t(3)
  real, pointer :: rp(:), rm(:, :)
  complex :: z
  f(x) = x + 1
  write (x, *) 1
  write (k, *) 1
  write ('abc', *) 1
  open (c, file=c)
  open (1, file=w, recl=x)
  open (1, file=n)
  write (1, x) n
  write (1, k) n
  write (1, k(1)) n
  write (1, n) n
  read (1, *, iostat=x) n
  read (1, *, iostat=k) n
  read (1, *, iomsg=n) n
  inquire (1, exist=n, opened=l, number=c)
  inquire (1, advance='no')
  rewind (1, rec=2)
  write (1, *) (k(i), i = 1, a), (k(i), i = c, 2)
  print *, [(k(i), i = 1, 2.5)], [(k(i), i = a(1), 3, l)]
  print *, f(a), f(1, 2), f(x=1.0), f(x), f(c)
  call c_f_pointer(n, ip)
  call c_f_pointer(p, ip, [1])
  call c_f_pointer(p, iv)
  call c_f_pointer(p, iv, 3)
  call c_f_pointer(p, iv, a)
  call c_f_procpointer(p, n)
  l = c_associated(n)
  l = c_associated(p, n)
  rp(2) => t
  rp(2:, 3:) => t
  rp(1.5:) => t
  rm(1:2) => t
  rm => t
  rp => a
  allocate (ip, stat=x)
  allocate (iv(3), stat=k, errmsg=n)
  z%re = a
  z%re = c
  stop 1.5
  stop a
  z%im = l
  print *, size(k, dim=4), lbound(n), ubound(k, 0), shape(k, 99)
  print *, char(300), nearest(1.0, 0.0), ibits(1, 30, 9), btest(1, 40)
  print *, selected_int_kind(k), selected_real_kind(1.0), index(c, 'a', n)
  print *, bessel_jn(1, 2), bessel_jn(1.0, 2, 3.0)
  print *, transfer(1), transfer(1, 2, 3.0), cmplx(1, 2, 99), real(1, 99)
  print *, btest(1.0, 2), adjustl(n), repeat('a', 1.5), any(n), all(k), count(l), norm2(1.0)
  print *, matmul(k, k), matmul(a, l), eoshift(a, 1, 2, 3), eoshift(n, 1)
  call date_and_time(n)
  call get_command(k)
  call get_environment_variable(n, c)
  call execute_command_line(c, n)
  call mvbits(1.0, 1, 2, k(1), 3)
  call exit(1.0)
  call flush(c)
  call move_alloc(a)
  call random_seed(put=a)
  call etime(a)
  call sleep(1.5)
  associate (s => n, v => k(1:2))
    print *, s(1), s(1:2), v(1, 2), v(l)
  end associate
contains
  subroutine inner(m)
    integer :: m
    real :: b(l), d(x), e(k)
    character(c) :: g
    b = 1
  end subroutine
end subroutine
