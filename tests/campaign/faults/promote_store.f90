! --passes=scalar_replace at l, discharged
subroutine k56()
  implicit none
  integer :: j
  double precision :: a3(15)
  do j = 1, 1
    a3(2) = 1.0d0
  end do
  call show_r8(11, a3, 15)
end subroutine
