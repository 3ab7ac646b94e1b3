! Inherit local.
! expect error T0444 6 5: no dummy argument
program wrong
  implicit none
  real :: a(10)
!HPF$ INHERIT a
  a = 1
end program
