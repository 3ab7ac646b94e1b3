! --passes=dce at l, discharged
subroutine k39()
  implicit none
  integer :: i
  do i = 1, 2
  end do
  call put_i4(22, i)
end subroutine
