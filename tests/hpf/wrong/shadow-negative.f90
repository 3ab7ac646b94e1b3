! Shadow negative.
! expect error T0439 7 7: negative
program wrong
  implicit none
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ SHADOW a(-1:1)
  a = 1
end program
