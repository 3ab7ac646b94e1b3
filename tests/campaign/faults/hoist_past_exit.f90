! --passes= at l, discharged
subroutine k47()
  implicit none
  integer :: j
  do j = 1, 1
    exit
    do while (.true.)
    end do
  end do
end subroutine
