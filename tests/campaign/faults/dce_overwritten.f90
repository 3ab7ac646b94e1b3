! --passes=dce at h
subroutine k1()
  implicit none
  double precision :: a(15), x
  call fill_r8(a, 15, 3)
  a(2) = 1.5d0
  x = a(2) + 1.0d0
  a(2) = x
  call show_r8(1, a, 15)
end subroutine
