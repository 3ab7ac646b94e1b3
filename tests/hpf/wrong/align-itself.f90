! Align itself.
! expect error T0411 6 5: aligned with itself
program wrong
  implicit none
  real :: a(10)
!HPF$ ALIGN a(i) WITH a(i)
  a = 1
end program
