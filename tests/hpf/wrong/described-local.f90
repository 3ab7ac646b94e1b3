! Described local.
! expect error T0445 6 5: no dummy argument
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a *(BLOCK)
  a = 1
end program
