! Unknown directive.
! expect error T0141 6 -: Unknown HPF directive
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUT a(BLOCK)
  a = 1
end program
