! Realign target.
! expect error T0448 10 8: is aligned
program wrong
  implicit none
  real :: a(10), b(10)
!HPF$ TEMPLATE t(20)
!HPF$ DYNAMIC a
!HPF$ ALIGN b(i) WITH a(i)
  a = 1
!HPF$ REALIGN a(i) WITH t(2*i)
end program
