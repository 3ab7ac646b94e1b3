! Reduction none.
! expect error T0433 11 8: this assignment is none
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 0
!HPF$ INDEPENDENT, REDUCTION(s)
  do i = 1, 10
    a(i) = i
    s = a(i)
  end do
end program
