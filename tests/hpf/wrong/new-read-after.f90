! New read after.
! expect error T0434 12 7: read after the loop
program wrong
  implicit none
  integer :: i
  real :: a(10), t
!HPF$ INDEPENDENT, NEW(t)
  do i = 1, 10
    t = i
    a(i) = t
  end do
  print *, t
end program
