! Sections through arrays of structures: strides in loops, calls, reductions, character components.
program sections
  implicit none
  type inner
    integer :: k(3)
    character(2) :: c
  end type
  type outer
    double precision :: d
    type(inner) :: in(2)
    real :: r
  end type
  type(outer) :: a(4), m(2, 3)
  integer :: i, j, k
  real :: v(4)
  do i = 1, 4
    a(i)%d = i
    a(i)%r = 10 * i
    do j = 1, 2
      a(i)%in(j)%k = [(100 * i + 10 * j + k, k = 1, 3)]
      write (a(i)%in(j)%c, '(2i1)') i, j
    end do
  end do
  print *, a%d
  print *, a(2:4)%in(1)%k(2)
  print *, a(3)%in%k(1), a(3)%in(2)%k
  print *, a(4:1:-1)%in(2)%c
  a%r = a%r + real(a%d)
  print *, sum(a%r), maxval(a(:)%in(2)%k(3)), dot_product(a%d, a%d)
  a(1:3)%d = a(2:4)%d
  print *, a%d
  a(2:4)%d = a(1:3)%d
  print *, a%d
  v = a%r
  call double(a%r, 4)
  print *, a%r - 2 * v
  call halve(a(1:4:3)%r)
  print *, a%r
  call ints(a(2)%in(1)%k)
  print *, a(2)%in(1)%k, a(2)%in(2)%k
  do j = 1, 3
    do i = 1, 2
      m(i, j)%r = i + 10 * j
      m(i, j)%d = 0
    end do
  end do
  print *, m(:, 2)%r, m(2, :)%r
  m(1, :)%d = m(2, :)%r
  print *, sum(m%d), m%d
  where (m%r > 20) m%d = -1
  print *, m%d
  a(1)%in(1) = a(4)%in(2)
  a(2) = a(1)
  print *, a(2)%in(1)%k, a(2)%in(1)%c
  print *, size(a%d), shape(m%r), lbound(m%r), any(m%d < 0)
  forall (i = 1:4) a(i)%r = a(5 - i)%r * 2
  print *, a%r
contains
  subroutine double(x, n)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    x = 2 * x
  end subroutine
  subroutine halve(x)
    real, intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) / 2
    end do
  end subroutine
  subroutine ints(k)
    integer, intent(inout) :: k(3)
    k = -k
  end subroutine
end program
