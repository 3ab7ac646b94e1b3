! Independent recurrence.
! expect error T0430 10 10: one iteration assigns
program wrong
  implicit none
  integer :: i
  real :: a(10)
  a = 1
!HPF$ INDEPENDENT
  do i = 2, 10
    a(i) = a(i - 1) + 1
  end do
end program
