! --passes=dce,unroll at l, discharged
subroutine k5088619()
  implicit none
  integer :: i
  double precision :: a1(5, 6, 0:4), a3(0:15)
  double precision :: p5088619_0
  a1(5, 1, 3) = p5088619_0(a3(i), a1(modulo(i, 5) + 1, i + 1, 6 - 3) * 0.5d0)
end subroutine
double precision function p5088619_0(d0, d1)
  implicit none
  integer :: l
  double precision :: d0, d1
  do l = 0, 4
    p5088619_0 = 1.0d0
  end do
  if (l > 1) then
  end if
end function
