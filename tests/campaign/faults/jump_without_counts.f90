! --passes=dce at l
subroutine k232()
  implicit none
  integer :: l, m
  real :: a1(-3:12)
  do l = 1, 1
    if (m > 1) cycle
    a1(1:1) = 1.0
  end do
end subroutine
