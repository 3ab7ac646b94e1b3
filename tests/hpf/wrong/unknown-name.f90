! Unknown name.
! expect error T0401 6 -: not declared
program wrong
  implicit none
  real :: alpha(10)
!HPF$ DISTRIBUTE alhpa(BLOCK)
  alpha = 1
end program
