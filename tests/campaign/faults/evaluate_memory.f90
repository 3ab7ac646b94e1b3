! --passes=evaluate at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(40)
  call fill_r8(a, 40, 9)
  do i = 2, 33
    a(i) = exp(-a(i - 1)) + i
  end do
  call show_r8(1, a, 40)
end subroutine
