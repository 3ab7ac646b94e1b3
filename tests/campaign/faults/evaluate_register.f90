! --passes=evaluate at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(40), t
  t = 0.5d0
  a = 0
  do i = 1, 32
    a(i) = exp(-t)
    t = a(i) + i
  end do
  call show_r8(1, a, 40)
end subroutine
