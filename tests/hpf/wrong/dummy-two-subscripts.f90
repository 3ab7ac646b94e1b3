! Dummy two subscripts.
! expect error T0412 7 5: two subscripts
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(10, 10)
!HPF$ ALIGN a(i) WITH t(i, i)
  a = 1
end program
