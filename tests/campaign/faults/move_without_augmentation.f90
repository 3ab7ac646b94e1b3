! --passes=interchange at h, discharged
subroutine k2()
  implicit none
end subroutine
subroutine p2_0()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, j
  integer :: k
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  do j = 1, 3
    do k = n7, 1
    end do
  end do
end subroutine
