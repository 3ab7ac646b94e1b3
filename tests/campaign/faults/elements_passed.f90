! --passes=elements at h
subroutine k1()
  implicit none
  integer :: n1, n2
  double precision :: w(3)
  common /opaque/ n1, n2
  w(1) = n1
  w(2) = n2 + 0.5d0
  w(3) = w(1) - w(2)
  call show_r8(9, w(1), 3)
end subroutine
