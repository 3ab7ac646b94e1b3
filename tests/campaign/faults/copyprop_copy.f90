! --passes=strength,copyprop at l, discharged
subroutine k79()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, n8
  double precision :: a1(13), a5(13)
  common /opaque/ n1, n2, n3, n4, n5, n6, n7, n8
  equivalence (a5(5), a1(4))
  call fill_r8(a5, 13, 3)
  a1(2:n8:2) = a5(2 + 2:n8 + 2:2)
  call show_r8(13, a5, 13)
end subroutine
