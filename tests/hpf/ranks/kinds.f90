! Elements of all types.
program kinds
  integer, parameter :: n = 6
  integer(1) :: a(n)
  integer(2) :: b(n)
  integer(8) :: c(n)
  real(16) :: d(n)
  complex :: e(n)
  complex(8) :: f(n)
  logical :: l(n)
  logical(1) :: m(n)
  character(3) :: s(n)
  type point
    real :: x, y
  end type
  type(point) :: q(n)
!HPF$ DISTRIBUTE (CYCLIC) :: a, b, c, d, e, f, l, m, s, q
  integer :: i
  do i = 1, n
    a(i) = int(i, 1)
    b(i) = int(100 * i, 2)
    c(i) = 10_8**i
    d(i) = 1.0_16 / i
    e(i) = cmplx(i, -i)
    f(i) = cmplx(0, i, 8)
    l(i) = mod(i, 2) == 0
    m(i) = i > 3
    write (s(i), '(i3)') i * i
    q(i)%x = i
    q(i)%y = -i
  end do
  do i = 2, n
    a(i) = a(i) + a(i - 1)
    b(i) = b(i - 1) - b(i)
    c(i) = c(i) + c(i - 1)
    d(i) = d(i) + d(i - 1)
    e(i) = e(i) * e(i - 1)
    f(i) = f(i) + conjg(f(i - 1))
    e(i)%re = i
    l(i) = l(i) .neqv. l(i - 1)
    m(i) = m(i) .or. m(1)
    s(i)(1:1) = s(i - 1)(3:3)
    q(i)%y = q(i - 1)%x + q(i)%y
  end do
  print *, a, b, c
  print *, d
  print *, e, f
  print *, l, m, s
  print *, q
end program
