! --passes=dce at l, discharged
subroutine k18()
  implicit none
  integer :: n1, n2, i
  common /opaque/ n1, n2
  do i = 4, n2
  end do
end subroutine
