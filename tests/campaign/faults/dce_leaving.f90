! --passes=dce at m
subroutine k1()
  implicit none
  integer :: i1, k
  real :: a4(15)
  call fill_r4(a4, 15, 11)
  i1 = 0
  do k = 1, 7
    if (a4(k) > 1.3) goto 20
    i1 = k
  end do
  i1 = 9
20 continue
  call put_i4(15, i1)
end subroutine
