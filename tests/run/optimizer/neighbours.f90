! Loops over neighbouring elements: those that vectors may take, and those where an iteration needs what the one before
! left, at distance one, two and three, forwards and backwards, through EQUIVALENCE and COMMON.
module shapes
  implicit none
contains
  subroutine update(n, x, y, z, s)
    integer, intent(in) :: n
    double precision, intent(in) :: s
    double precision :: x(n), y(n), z(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + s * x(i)
    end do
    do i = 2, n - 1
      z(i) = 0.25d0 * (x(i - 1) + 2 * x(i) + x(i + 1)) / (1 + abs(y(i)))
    end do
    do i = n, 1, -1
      x(i) = sqrt(abs(z(i))) - y(i)
    end do
  end subroutine update

  subroutine carried(n, x, d)
    integer, intent(in) :: n, d
    double precision :: x(n)
    integer :: i
    do i = 2, n
      x(i) = x(i - 1) * 0.5d0 + x(i)
    end do
    do i = 3, n
      x(i) = x(i - 2) * 0.5d0 + x(i)
    end do
    do i = 4, n
      x(i) = x(i - 3) + 0.125d0
    end do
    do i = 1, n - 1
      x(i) = x(i + 1) - x(i)
    end do
    do i = 1, n - 2
      x(i) = x(i + 2) - 0.5d0 * x(i)
    end do
    do i = 1, n - d
      x(i + d) = x(i) + 1
    end do
  end subroutine carried

  subroutine singles(n, a, b)
    integer, intent(in) :: n
    real :: a(n), b(n), t
    integer :: i
    do i = 1, n
      t = a(i) * 2 - b(i)
      b(i) = max(t, 0.5)
      a(i) = min(abs(t), b(i)) + 1.0
    end do
    do i = 1, n - 1
      a(i) = -a(i + 1)
    end do
  end subroutine singles
end module shapes

program neighbours
  use shapes
  implicit none
  integer, parameter :: n = 37
  double precision :: x(n), y(n), z(n), e(n), f(n), total, most, product
  double precision :: p(40), q(40)
  common /block/ p, q
  equivalence (e(2), f(1))
  real :: a(n), b(n)
  integer :: i, k
  do i = 1, n
    x(i) = 1.0d0 / i
    y(i) = mod(7 * i, 11) - 5.0d0
    z(i) = i * 0.5d0
    e(i) = i * i * 0.25d0
    a(i) = mod(5 * i, 13) - 6.0
    b(i) = 3.0 / i
  end do
  f(n) = 2
  do i = 1, 40
    p(i) = i
    q(i) = 40 - i
  end do
  do k = 1, 5
    call update(n - k, x, y, z, 0.5d0 + k)
    call carried(n - k, z, k)
    call singles(n - k, a, b)
  end do
  ! One memory under two names.
  do i = 1, n - 1
    f(i) = e(i) + 1
  end do
  do i = 1, 39
    p(i) = p(i + 1) * 2 + q(i)
    q(i) = p(i) - q(i + 1)
  end do
  ! What is added up keeps its order; a lane is used as a scalar, too.
  total = 0
  most = 0
  product = 1
  do i = 1, n
    e(i) = y(i) * x(i)
    total = total + e(i)
    most = max(most, abs(x(i) - z(i)))
    product = product * (1 + abs(z(i)) * 1d-3)
    z(i) = x(i)
  end do
  print '(4es24.16)', total, most, product, sum(e)
  print '(4es24.16)', x
  print '(4es24.16)', y
  print '(4es24.16)', z
  print '(4es24.16)', f
  print '(4es24.16)', p, q
  print '(4es16.8)', a, b
end program neighbours
