! --passes=unroll at l, discharged
subroutine k139()
  implicit none
  integer :: k, l
  do k = 3, 2, (-1)
  end do
  l = k
  call put_i4(25, l)
end subroutine
