! --passes=fold at l, discharged
subroutine k37()
  implicit none
  integer :: j
  do j = 2, 3, 3
  end do
  call put_i4(23, j)
end subroutine
