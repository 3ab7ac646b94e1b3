! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: i
  double precision :: x
  do i = 1, 5
    if (i == 2) cycle
    if (x > 1d0) x = 2d0
  end do
end subroutine
