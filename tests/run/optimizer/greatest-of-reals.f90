! The greatest and least of reals in loops that are done in lanes: NaNs, zeros of both signs, infinities, other work in the same loop.
program greatest_of_reals
  implicit none
  integer, parameter :: n = 77
  real(8) :: a(n), b(n), z, nan
  real(8) :: r(3), f
  real(4) :: c(n), s(2)
  integer :: i, j, k
  ! Processors make NaNs of different signs.
  nan = transfer(9221120237041090560_8, nan)
  do k = 1, 12
    do i = 1, n
      a(i) = sin(i * 0.37d0 * k) - 0.2d0
      b(i) = cos(i * 0.11d0 + k)
      c(i) = real(a(i)) * 3
    end do
    z = 0 * a(1)
    select case (k)
    case (2)
      a(40) = nan
    case (3)
      a(n) = nan
      c(n) = real(nan)
    case (4)
      a(1) = nan
      c(3) = real(nan)
    case (5)
      a = min(a, -1d0)
      a(5) = z
      a(34) = -abs(z)
    case (6)
      a = min(a, -1d0)
      a(6) = -abs(z)
      a(33) = abs(z)
      c = max(c, 0.0)
    case (7)
      a = -1 / abs(z)
    case (8)
      a(9) = 1 / abs(z)
      c(10) = -real(1 / abs(z))
    case (9)
      a = z
      c = 0
    end select
    r = [both(a, n), residual(a, b, n), least(a, b, n)]
    j = k / 2 + 1
    f = from(a, n, j)
    s = [single(c, n), single(c, 9)]
    print '(i3, 4z17, i4, 2z9)', k, r, f, j, s
  end do
contains
  real(8) function both(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: most, least
    integer :: i
    most = -huge(1d0)
    least = huge(1d0)
    do i = 1, n
      most = max(most, x(i))
      least = min(x(i), least)
    end do
    print '(2z17)', most, least
    both = most
  end function

  ! The norm of a change, and a new value.
  real(8) function residual(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: new
    integer :: i
    residual = 0
    do i = 2, n - 1
      new = 0.5d0 * (x(i - 1) + x(i + 1))
      residual = max(residual, abs(new - x(i)))
      y(i) = new
    end do
    do i = 1, n
      if (y(i) > 0.9d0) y(i) = y(i) - 1
    end do
  end function

  ! The loop changes the variable that its first value comes from.
  real(8) function from(x, n, first)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer, intent(inout) :: first
    integer(8) :: i, k
    k = first
    from = -1
    do i = k, n
      from = max(from, x(i))
      k = i + 2
    end do
    first = int(k)
  end function

  ! In place: what was read is not there any more.
  real(8) function least(x, y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: y(n)
    integer :: i
    least = 1
    do i = n, 1, -1
      least = min(least, x(i))
      x(i) = x(i) + y(i)
    end do
  end function

  real(4) function single(x, n)
    integer, intent(in) :: n
    real(4), intent(in) :: x(n)
    integer :: i, large
    single = x(1)
    large = 0
    do i = 2, n
      single = max(single, x(i), -x(i))
      large = large + i
    end do
    print '(i8)', large
  end function
end program
