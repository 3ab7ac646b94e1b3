! Procedure mapped.
! expect error T0405 7 6: neither an array nor a template
program wrong
  implicit none
  real :: a(10)
  real, external :: f
!HPF$ DISTRIBUTE f(BLOCK)
  a = 1
end program
