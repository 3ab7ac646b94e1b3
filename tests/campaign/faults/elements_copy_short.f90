! --passes=elements at h
subroutine k1()
  implicit none
  type pair
    double precision :: x, y
  end type
  integer :: n1, n2
  type(pair) :: t
  type(pair), save :: p(3)
  double precision :: r(2)
  common /opaque/ n1, n2
  p(2)%y = 9
  t%x = n1
  t%y = n2 + 0.5d0
  p(2) = t
  r(1) = p(2)%x
  r(2) = p(2)%y
  call show_r8(1, r, 2)
end subroutine
