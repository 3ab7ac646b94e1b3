! --passes=dce at m
subroutine k1()
  implicit none
  integer :: k
  k = 4
end subroutine
