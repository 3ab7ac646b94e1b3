! --passes=inline at m
subroutine k99()
  implicit none
  integer :: n1, n2, ix(8), j
  double precision :: a1(0:4, -1:6, 0:4), x2
  common /opaque/ n1, n2
  integer :: p99_0
  a1(1, 1, 1) = p99_0(9, merge(9, ix(j + 1), mod(n2, 3) == 1), x2)
  call show_r8(9, a1, 200)
end subroutine
integer function p99_0(d0, d1, d2)
  implicit none
  integer :: d0, d1
  double precision :: d2
  p99_0 = 3
end function
