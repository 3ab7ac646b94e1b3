! Reduction unused.
! expect error T0433 8 9: does not reduce it
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  s = 1
!HPF$ INDEPENDENT, REDUCTION(s)
  do i = 1, 10
    a(i) = i
  end do
end program
