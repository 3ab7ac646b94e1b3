! Neighbouring reals in memory that has several names: doubles on addresses that are no multiples of 8, arrays that
! overlap by one element or by half of one, reals under integers, complex parts as reals.
program overlap
  implicit none
  integer, parameter :: n = 24
  real :: s(2 * n + 2)
  double precision :: d(n)
  common /odd/ s
  equivalence (s(2), d(1))
  double precision :: a(n), b(n), c(n)
  equivalence (a(2), b(1)), (b(3), c(1))
  real :: r(2 * n), t(2 * n)
  double precision :: w(n)
  equivalence (r(1), w(1)), (r(2), t(1))
  real :: x(n)
  integer :: k(n)
  equivalence (x(1), k(1))
  complex :: z(n)
  real :: p(2 * n)
  equivalence (z(1), p(1))
  double precision :: half
  integer :: i, m
  half = 0.5d0
  s = 0
  do m = 20, 23
    do i = 1, m
      d(i) = i * 1.25d0 + m
    end do
    do i = 2, m - 1
      d(i) = d(i) * half + 3.0d0
    end do
    call show(d, n)
  end do
  do i = 1, n
    a(i) = i
  end do
  c(n - 2:n) = 7
  do i = 1, n - 4
    b(i) = a(i) * 2 + 1
  end do
  do i = 1, n - 4
    a(i) = b(i + 1) - c(i)
  end do
  do i = 1, n - 4
    c(i) = a(i) + b(i)
    a(i + 1) = half * i
  end do
  b(4) = a(1) + half
  b(5) = a(2) + half
  a(8) = b(1) * half
  a(9) = b(2) * half
  b(6) = half
  call show(a, n)
  call show(c, n)
  ! A double under two reals: a real is written between the halves of a vector.
  do i = 1, n
    w(i) = 1 + i * half
  end do
  do i = 1, n - 1
    w(i) = w(i) * 1.5d0
    r(2 * i + 1) = 2 * i
    t(2 * i + 1) = i
  end do
  call show(w, n)
  do i = 1, n
    x(i) = i * 0.75
  end do
  do i = 1, n - 2
    x(i) = x(i) + 1
    k(i + 1) = k(i + 1) + 1
    x(i + 2) = x(i + 2) * 0.5
  end do
  do i = 1, n - 1, 2
    k(i) = k(i + 1)
    x(i + 1) = -x(i)
  end do
  print '(6i12)', k
  do i = 1, n
    z(i) = cmplx(i, -i)
  end do
  do i = 1, 2 * n - 1
    p(i) = p(i) + p(i + 1)
  end do
  do i = 1, n - 1
    z(i) = z(i) * 0.5 + z(i + 1)
    p(2 * i) = p(2 * i) - 1
  end do
  print '(6es14.6)', z
contains
  subroutine show(v, m)
    integer, intent(in) :: m
    double precision, intent(in) :: v(m)
    print '(4es24.16)', v
  end subroutine show
end program overlap
