! On unmatched.
! expect error T0436 7 9: no END ON
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ON HOME (a(1)) BEGIN
  a(1) = 1
  a(2) = 1
end program
