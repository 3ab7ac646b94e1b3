! Not before loop.
! expect error T0415 6 7: counted DO
program wrong
  implicit none
  real :: a(10)
!HPF$ INDEPENDENT
  a = 1
end program
