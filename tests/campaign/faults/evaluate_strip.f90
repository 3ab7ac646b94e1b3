! --passes=evaluate at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(600), b(600)
  call fill_r8(a, 600, 9)
  b = 0
  do i = 1, 600
    b(i) = b(i) + exp(-abs(a(i)))
  end do
  call show_r8(1, b, 600)
end subroutine
