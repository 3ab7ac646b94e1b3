! --passes=cse at h
subroutine k21()
  implicit none
  integer :: n1, i
  double precision :: a0(8, 9), a2(-1:5, 8)
  common /opaque/ n1
  equivalence (a2(1, 1), a0(2, 1))
  i = n1
  do i = 0, 1
  end do
  a0(n1, 1) = 1.0d0
  call show_r8(10, a2, 56)
end subroutine
