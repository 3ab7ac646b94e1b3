! Not linear.
! expect error T0417 7 5: not a linear function
program wrong
  implicit none
  real :: a(3)
!HPF$ TEMPLATE t(10)
!HPF$ ALIGN a(i) WITH t(i*i)
  a = 1
end program
