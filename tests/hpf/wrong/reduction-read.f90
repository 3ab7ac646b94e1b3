! Reduction read.
! expect error T0433 11 8: read outside
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 1
!HPF$ INDEPENDENT, REDUCTION(+: s)
  do i = 1, 10
    s = s + i
    a(i) = s
  end do
end program
