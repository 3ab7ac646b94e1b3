! --passes=fold at h, discharged
subroutine k2()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, j
  integer :: k
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  do j = 1, 1
    do k = n7, 1
    end do
  end do
end subroutine
