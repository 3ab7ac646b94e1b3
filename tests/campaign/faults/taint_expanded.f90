! --passes=unroll at l
subroutine k1()
  implicit none
end subroutine
