! Indirect extent.
! expect error T0428 8 6: INDIRECT has 4 values
program wrong
  implicit none
  integer, parameter :: owners(4) = [1, 2, 1, 2]
  real :: a(10)
!HPF$ PROCESSORS p(2)
!HPF$ DISTRIBUTE a(INDIRECT(owners)) ONTO p
  a = 1
end program
