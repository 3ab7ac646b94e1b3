! Sequence mapped.
! expect error T0441 7 6: SEQUENCE
program wrong
  implicit none
  real :: a(10)
!HPF$ SEQUENCE a
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
end program
