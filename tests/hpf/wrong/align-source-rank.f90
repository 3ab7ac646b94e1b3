! Align source rank.
! expect error T0410 7 5: has rank 1
program wrong
  implicit none
  real :: a(10)
!HPF$ TEMPLATE t(10, 10)
!HPF$ ALIGN a(i, j) WITH t(i, j)
  a = 1
end program
