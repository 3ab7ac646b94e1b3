! --passes=inline at h
subroutine k1()
  implicit none
  integer :: i1
  double precision :: a0(3)
  call fill_r8(a0, 3, 3)
  i1 = 1
  call p1_0(i1, a0(i1))
  call show_r8(1, a0, 3)
end subroutine
subroutine p1_0(j1, s1)
  implicit none
  integer :: j1
  double precision :: s1
  j1 = j1 + 1
  s1 = 1.0d0
end subroutine
