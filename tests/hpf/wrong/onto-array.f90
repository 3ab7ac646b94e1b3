! Onto array.
! expect error T0408 6 5: not a processor arrangement
program wrong
  implicit none
  real :: a(10), b(4)
!HPF$ DISTRIBUTE a(BLOCK) ONTO b
  a = 1
end program
