! Reduction two operations.
! expect error T0433 12 8: two operations
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 1
!HPF$ INDEPENDENT, REDUCTION(s)
  do i = 1, 10
    a(i) = i
    s = s + i
    s = s*i
  end do
end program
