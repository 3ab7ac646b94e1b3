! Indirect processor.
! expect error T0429 8 7: names processor 3
program wrong
  implicit none
  integer, parameter :: owners(4) = [1, 2, 3, 2]
  real :: a(4)
!HPF$ PROCESSORS p(2)
!HPF$ DISTRIBUTE a(INDIRECT(owners)) ONTO p
  a = 1
end program
