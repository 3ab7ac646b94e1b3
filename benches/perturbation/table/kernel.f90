real(8) function between(x, y, n, at)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n), at
  integer :: low, high, middle
  low = 1
  high = n
  do while (high - low > 1)
    middle = (low + high) / 2
    if (x(middle) > at) then
      high = middle
    else
      low = middle
    end if
  end do
  between = y(low) + (y(high) - y(low)) * (at - x(low)) / (x(high) - x(low))
end function
