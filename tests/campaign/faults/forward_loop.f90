! --passes=fold at l, discharged
subroutine k1()
  implicit none
  integer :: a1(-3:4, 8, 8), i1
  call fill_i4(a1, 512, 8)
  i1 = count(a1(1, 2, 1:2) > 0)
  call put_i4(15, i1)
end subroutine
