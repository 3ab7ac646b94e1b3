! --passes=fold at l, discharged
subroutine k7()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7
  double precision :: a0(-1:10), x1
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  call fill_r8(a0, 12, 7)
  x1 = dot_product(a0(1:(n7 + 1) - 2:2), a0(2:2:2))
  call put_r8(17, x1)
end subroutine
