! Dummy twice.
! expect error T0412 7 5: stands for two dimensions
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ TEMPLATE t(10, 10)
!HPF$ ALIGN a(i, i) WITH t(i, 1)
  a = 1
end program
