! --passes=cse at l, discharged
subroutine k3()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, ix(8)
  integer :: j
  double precision :: a2(8, 5, -3:8)
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  goto 150
  a2(1, 1, 1) = a2(1, ix(n7), 1)
150 continue
  do j = n7, 1
  end do
  call put_i4(20, j)
end subroutine
