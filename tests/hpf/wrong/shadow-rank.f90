! Shadow rank.
! expect error T0438 7 5: has rank 2
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ SHADOW a(1)
  a = 1
end program
