! --passes=unroll at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a0(3)
  do i = 1, 3
    a0(i) = i
  end do
  call show_r8(1, a0, 3)
end subroutine
