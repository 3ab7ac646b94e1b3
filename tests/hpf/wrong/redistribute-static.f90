! Redistribute static.
! expect error T0403 8 5: not DYNAMIC
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
!HPF$ REDISTRIBUTE a(CYCLIC)
end program
