! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: j
  do j = 1, 0
  end do
end subroutine
