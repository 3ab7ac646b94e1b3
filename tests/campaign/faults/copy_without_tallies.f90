! --passes=unroll at l
subroutine k1()
  implicit none
  double precision :: a5(-1:12)
  call fill_r8(a5, 14, 5)
end subroutine
