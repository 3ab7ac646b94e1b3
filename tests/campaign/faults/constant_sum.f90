! --passes= at l, discharged
subroutine k14()
  implicit none
  double precision :: x1, x2, x3
  double precision :: p14_0
  x3 = p14_0(x3 + x2, x1 + x2)
end subroutine
double precision function p14_0(d0, d1)
  implicit none
  integer :: i, j
  double precision :: d0, d1
  do i = 1, 6
    do j = 1, i
    end do
  end do
end function
