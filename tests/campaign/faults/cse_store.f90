! --passes=unroll,cse at l, discharged
subroutine k33()
  implicit none
  integer :: n1, n2, i, k
  double precision :: a4(15), x2
  common /opaque/ n1, n2
  do k = 1, n2
    a4(2) = a4(i + 2) + 1.0d0
    x2 = a4(i + 2) + 1.0d0
  end do
  call show_r8(12, a4, 15)
end subroutine
