! Task region.
! expect error T0142 6 -: TASK_REGION is not supported
program wrong
  implicit none
  real :: a(10)
!HPF$ TASK_REGION
  a = 1
end program
