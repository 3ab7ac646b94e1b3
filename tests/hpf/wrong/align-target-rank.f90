! Align target rank.
! expect error T0410 7 6: has rank 2
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(10, 10)
!HPF$ ALIGN a(i) WITH t(i)
  a = 1
end program
