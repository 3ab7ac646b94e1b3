! Onto rank.
! expect error T0409 7 6: dimensions are distributed
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE a(BLOCK, BLOCK) ONTO p
  a = 1
end program
