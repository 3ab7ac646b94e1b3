! --passes=dce,interchange at l, discharged
subroutine k1189669()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, n8
  integer :: i, j, k
  real :: a3(-3:11)
  common /opaque/ n1, n2, n3, n4, n5, n6, n7, n8
  do i = 0, 1
    do j = n8, 0, (-3)
      a3(j) = 1.0
      do k = 2, 2
      end do
    end do
  end do
  call show_r4(11, a3, 15)
end subroutine
