! Processors empty.
! expect error T0425 6 -: no processors
program wrong
  implicit none
  real :: a(10)
!HPF$ PROCESSORS p(0)
!HPF$ DISTRIBUTE a(BLOCK) ONTO p
  a = 1
end program
