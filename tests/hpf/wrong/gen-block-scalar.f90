! Gen block scalar.
! expect error T0437 7 5: INTEGER array of rank 1
program wrong
  implicit none
  integer :: n
  real :: a(10)
!HPF$ DISTRIBUTE a(GEN_BLOCK(n))
  a = 1
end program
