! -O0 at m
subroutine k1()
  implicit none
  double precision :: a0(1)
  a0(1) = 1.0d0
  call show_r8(1, a0, 1)
end subroutine
