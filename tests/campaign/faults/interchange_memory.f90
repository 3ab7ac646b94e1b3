! --passes=interchange at l, discharged
subroutine k366()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, k
  integer :: l
  double precision :: a1(-1:15), a2(12)
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  equivalence (a2(1), a1(1))
  do k = 1, 2
    do l = n7, 2 + 2
      a2(l - 2) = a2(2) - 1.0d0
    end do
  end do
  call show_r8(9, a1, 17)
end subroutine
