! --passes=licm at m
subroutine k326()
  implicit none
  integer :: n1, k
  double precision :: a0(-1:7, 6)
  common /opaque/ n1
  do k = 2, n1
    a0(2, 6) = a0(2, 6) + 1.0d0
  end do
  call show_r8(8, a0, 54)
end subroutine
