! Unknown format.
! expect error T0140 6 -: Unknown distribution format
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOK)
  a = 1
end program
