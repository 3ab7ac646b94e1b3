subroutine smooth(x, first)
  implicit none
  real, intent(inout) :: x
  logical, intent(in) :: first
  real, save :: last, history(3)
  integer, save :: n
  if (first) then
    last = x
    n = 0
    history = 0
  end if
  n = mod(n, 3) + 1
  history(n) = x
  x = (x + last) / 2
  last = history(n)
end subroutine
program right
  real :: v
  integer :: i
  do i = 1, 5
    v = i
    call smooth(v, i == 1)
    print *, v
  end do
end program
