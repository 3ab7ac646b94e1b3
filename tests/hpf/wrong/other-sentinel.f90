! Other sentinel.
! expect warning T0144 6 -: another system
program wrong
  implicit none
  real :: a(10)
!HPFJ REFLECT a
  a = 1
end program
