! --passes=dce,inline at m, discharged
subroutine k5000435()
  implicit none
  real :: a2(-3:13)
  call p5000435_1(13, a2)
end subroutine
subroutine p5000435_1(nd, d0)
  implicit none
  integer :: nd, n1, n2, n3, n4, n5, n6, n7
  integer :: i
  real :: d0(-3:nd)
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  do i = 1, n7
  end do
end subroutine
