real(8) function axpb(x, y)
  implicit none
  real(8), intent(in) :: x, y
  axpb = x * y + y
end function
