! Aligned and distributed.
! expect error T0404 7 6: mapped twice
program wrong
  implicit none
  real :: a(8), b(8)
!HPF$ ALIGN a(i) WITH b(i)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
end program
