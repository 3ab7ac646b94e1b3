! --passes=dce at h
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6
  common /opaque/ n1, n2, n3, n4, n5, n6
  integer :: i, j, i1
  double precision :: a0(1)
  a0(1) = 1.0d0
  do i = 1, n6, 2
    i1 = i
  end do
  do j = 1, i
    i1 = j
  end do
  call show_r8(1, a0, 1)
end subroutine
