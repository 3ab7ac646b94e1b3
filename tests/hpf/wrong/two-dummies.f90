! Two dummies.
! expect error T0413 7 5: more than one dummy
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ TEMPLATE t(20)
!HPF$ ALIGN a(i, j) WITH t(i + j)
  a = 1
end program
