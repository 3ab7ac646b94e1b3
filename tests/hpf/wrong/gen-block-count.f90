! Gen block count.
! expect error T0426 8 7: sizes for 4 processors
program wrong
  implicit none
  integer, parameter :: sizes(3) = [2, 3, 5]
  real :: a(10)
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE a(GEN_BLOCK(sizes)) ONTO p
  a = 1
end program
