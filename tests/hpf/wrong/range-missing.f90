! Range missing.
! expect error T0440 7 8: none of its RANGE
program wrong
  implicit none
  real :: a(10)
!HPF$ DYNAMIC a
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ RANGE a (CYCLIC), (CYCLIC())
  a = 1
end program
