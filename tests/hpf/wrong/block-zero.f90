! Block zero.
! expect error T0407 6 5: positive
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK(0))
  a = 1
end program
