! Block too small.
! expect error T0421 7 6: do not hold the 100 elements
program wrong
  implicit none
  real :: a(100)
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE a(BLOCK(20)) ONTO p
  a = 1
end program
