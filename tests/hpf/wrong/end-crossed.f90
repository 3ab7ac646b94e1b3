! End crossed.
! expect error T0436 10 8: stands where END
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ON HOME (a(1)) BEGIN
!HPF$ RESIDENT (a) BEGIN
  a(1) = 1
!HPF$ END ON
!HPF$ END RESIDENT
end program
