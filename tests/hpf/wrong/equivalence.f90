! Equivalence.
! expect error T0423 7 5: EQUIVALENCE
program wrong
  implicit none
  real :: a(10), b(10)
  equivalence (a, b)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
end program
