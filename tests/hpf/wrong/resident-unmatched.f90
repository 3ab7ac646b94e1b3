! Resident unmatched.
! expect error T0436 7 -: END RESIDENT ends nothing
program wrong
  implicit none
  real :: a(10)
  a = 1
!HPF$ END RESIDENT
end program
