! New and reduction.
! expect error T0454 8 8: at once
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 0
!HPF$ INDEPENDENT, NEW(s), REDUCTION(s)
  do i = 1, 10
    s = s + i
    a(i) = i
  end do
end program
