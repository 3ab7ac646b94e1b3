! --passes=unroll,cse at l, discharged
subroutine k139()
  implicit none
  integer :: k
  double precision :: x2
  do k = 3, 2, (-1)
    x2 = 1.0d0 + x2
  end do
  call put_r8(18, x2)
end subroutine
