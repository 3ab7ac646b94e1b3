! Gen block sum.
! expect error T0426 8 6: have 9 elements
program wrong
  implicit none
  integer, parameter :: sizes(3) = [2, 3, 4]
  real :: a(10)
!HPF$ PROCESSORS p(3)
!HPF$ DISTRIBUTE a(GEN_BLOCK(sizes)) ONTO p
  a = 1
end program
