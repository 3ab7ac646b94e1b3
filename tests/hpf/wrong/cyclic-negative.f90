! Cyclic negative.
! expect error T0407 6 5: positive
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(CYCLIC(-2))
  a = 1
end program
