! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: j
  double precision :: a(1)
  a(1) = 1.0d0
  do j = 1, 0
    a(1) = 2.0d0
  end do
  call show_r8(1, a, 1)
end subroutine
