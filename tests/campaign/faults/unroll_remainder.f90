! --passes=unroll at h
subroutine k19()
  implicit none
  double precision :: a3(11)
  a3 = 1.0d0
  call show_r8(11, a3, 11)
end subroutine
