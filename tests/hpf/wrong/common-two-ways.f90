! Common two ways.
! expect error T0427 15 7: mapped in two ways
program wrong
  implicit none
  real :: a(10)
  common /blk/ a
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
  call other
end program
subroutine other
  implicit none
  real :: a(10)
  common /blk/ a
!HPF$ DISTRIBUTE a(CYCLIC)
  a(1) = 2
end subroutine
