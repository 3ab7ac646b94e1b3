! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, k
  do i = 1, 2
    do k = 1, j
    end do
    do j = 1, 0
    end do
  end do
end subroutine
