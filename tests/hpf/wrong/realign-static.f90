! Realign static.
! expect error T0403 9 5: not DYNAMIC
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(20)
!HPF$ ALIGN a(i) WITH t(i)
  a = 1
!HPF$ REALIGN a(i) WITH t(2*i)
end program
