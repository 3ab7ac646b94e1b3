! Processors differ.
! expect warning T0424 7 6: has 4
program wrong
  implicit none
  real :: a(10)
!HPF$ PROCESSORS p(4)
!HPF$ PROCESSORS q(3, 3)
!HPF$ DISTRIBUTE a(BLOCK) ONTO p
  a = 1
end program
