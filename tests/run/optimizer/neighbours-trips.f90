! Loops over neighbouring reals with 0 to 9 iterations, forwards and backwards, with strides, with limits and offsets that are
! known and that are not; straight-line code on neighbours in every order.
module kernels
  implicit none
contains
  subroutine singles(lo, hi, a, b, c)
    integer, intent(in) :: lo, hi
    real, intent(inout) :: a(-2:20), b(-2:20), c(-2:20)
    integer :: i
    do i = lo, hi
      a(i) = b(i) * 2.5 + c(i)
      c(i) = abs(a(i)) - b(i + 1)
    end do
    do i = hi, lo, -1
      b(i) = max(a(i), c(i)) / (1.5 + abs(b(i)))
    end do
    do i = lo, hi, 2
      a(i) = a(i + 1) + 0.5
    end do
    do i = hi, lo, -3
      c(i) = -b(i)
    end do
  end subroutine singles

  subroutine doubles(lo, hi, p, a, b)
    integer, intent(in) :: lo, hi, p
    double precision, intent(inout) :: a(-4:24), b(-4:24)
    integer :: i
    do i = lo, hi
      a(i + p) = b(i - p) + a(i)
    end do
    do i = lo, hi
      b(i) = sqrt(abs(a(i + 1))) - min(b(i), 0.25d0)
      a(i - 1) = a(i - 1) * 0.5d0
    end do
    do i = hi, lo, -1
      a(i) = merge(a(i), b(i), a(i) > b(i)) * 1.25d0
    end do
    do i = lo, hi, 2
      b(i) = b(i) + 1
      b(i + 1) = b(i + 1) + 1
    end do
  end subroutine doubles

  ! Two columns next to each other, the same element from two sides.
  subroutine columns(n, m, u)
    integer, intent(in) :: n, m
    double precision, intent(inout) :: u(n, m)
    integer :: i, j
    do j = 2, m
      do i = 1, n
        u(i, j) = u(i, j) + 0.5d0 * u(i, j - 1)
      end do
    end do
    do j = 1, m
      do i = 2, n - 1
        u(i, j) = u(i - 1, j) - u(i + 1, j)
      end do
    end do
  end subroutine columns

  subroutine in_a_row(v, w, f, x)
    double precision, intent(inout) :: v(8), w(8)
    real, intent(inout) :: f(8)
    double precision, intent(in) :: x
    v(1) = 1.5d0
    v(2) = 2.5d0
    v(4) = x
    v(3) = x
    v(6) = w(5) * x
    v(5) = w(6) * x
    w(1) = v(1) + 1
    v(2) = w(1) + 1
    w(2) = v(2) + 1
    w(7) = w(7) - x
    w(8) = x - w(8)
    w(3) = w(4)
    w(4) = w(3)
    f(1) = 0.5
    f(2) = 1.5
    f(3) = 2.5
    f(4) = 3.5
    f(5) = f(1) * f(8)
    f(6) = f(2) * f(7)
    f(7) = f(3) * f(6)
    f(8) = f(4) * f(5)
  end subroutine in_a_row
end module kernels

program trips
  use kernels
  implicit none
  real :: a(-2:20), b(-2:20), c(-2:20), f(8)
  double precision :: x(-4:24), y(-4:24), u(50), v(8), w(8)
  integer :: i, k, n, m
  a = [(0.5 * i, i = -2, 20)]
  b = [(3.0 - 0.25 * i, i = -2, 20)]
  c = [(mod(3 * i, 7) * 1.0, i = -2, 20)]
  x = [(0.125d0 * i, i = -4, 24)]
  y = [(2.0d0 - mod(5 * i, 9), i = -4, 24)]
  do k = 0, 9
    call singles(1, k, a, b, c)
    call singles(k - 2, 2 * k - 3, a, b, c)
    call doubles(1, k, mod(k, 4), x, y)
    call doubles(k, 9, -mod(k, 4), x, y)
  end do
  print '(5es16.8)', a, b, c
  print '(4es24.16)', x, y
  do n = 1, 7
    m = 50 / n
    u = [(1.0d0 / i, i = 1, 50)]
    call columns(n, m, u)
    print '(4es24.16)', u
  end do
  v = 1
  w = [(i * 0.75d0, i = 1, 8)]
  f = [(i * 0.25, i = 1, 8)]
  do k = 1, 3
    call in_a_row(v, w, f, k * 0.5d0)
  end do
  print '(4es24.16)', v, w
  print '(4es16.8)', f
end program trips
