! Common dynamic.
! expect error T0443 7 5: cannot be DYNAMIC
program wrong
  implicit none
  real :: a(10)
  common /blk/ a
!HPF$ DYNAMIC a
  a = 1
end program
