! --passes=dce,interchange at m
subroutine k1()
  implicit none
  integer :: i, j, s, t
  real :: a4(9, 9)
  call fill_r4(a4, 81, 11)
  s = 0
  t = 0
  do i = 1, 9
    do j = 1, 9
      a4(i, j) = 1.0
      s = s + i*7 + j*j*i
      if (mod(s, 3) == 1) t = t + 1
    end do
  end do
  call show_r4(8, a4, 81)
end subroutine
