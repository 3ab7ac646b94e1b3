! Align outside.
! expect error T0422 8 6: position 11
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(10)
!HPF$ DISTRIBUTE t(BLOCK)
!HPF$ ALIGN a(i) WITH t(i + 1)
  a = 1
end program
