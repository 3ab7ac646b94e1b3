! Redistribute aligned.
! expect error T0447 10 8: which is aligned
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(10)
!HPF$ DYNAMIC a
!HPF$ ALIGN a(i) WITH t(i)
  a = 1
!HPF$ REDISTRIBUTE a(BLOCK)
end program
