! Align cycle.
! expect error T0420 6 8: aligned with itself
program wrong
  implicit none
  real :: a(8), b(8), c(8)
!HPF$ ALIGN a(i) WITH b(i)
!HPF$ ALIGN b(i) WITH c(i)
!HPF$ ALIGN c(i) WITH a(i)
  a = 1
end program
