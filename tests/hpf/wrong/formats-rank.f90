! Formats rank.
! expect error T0406 6 5: has rank 2
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
end program
