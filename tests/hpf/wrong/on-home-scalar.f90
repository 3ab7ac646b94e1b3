! On home scalar.
! expect error T0435 8 6: no array
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 1
!HPF$ ON HOME (s)
  a(1) = s
end program
