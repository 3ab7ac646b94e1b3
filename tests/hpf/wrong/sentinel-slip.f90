! Sentinel slip.
! expect warning T0144 6 -: a comment, not a directive
program wrong
  implicit none
  real :: a(10)
!HPF DISTRIBUTE a(BLOCK)
  a = 1
end program
