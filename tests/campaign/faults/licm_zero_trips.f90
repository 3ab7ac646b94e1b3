! --passes=licm at h, discharged
subroutine k72()
  implicit none
  integer :: i1, j, k
  do j = 1, i1
    k = 1
  end do
  call put_i4(22, k)
end subroutine
