! --passes=vectorize,unroll,fold,cse at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(15), x
  call fill_r8(a, 15, 3)
  do i = 2, 5
    a(i) = 1.5d0
  end do
  x = a(6)
  a(1) = x
  call show_r8(1, a, 15)
end subroutine
