! Independent suspected element.
! expect warning T0430 10 10: one iteration assigns
program wrong
  implicit none
  integer :: i
  real :: a(10)
  a = 1
!HPF$ INDEPENDENT
  do i = 1, 9
    if (a(i) > 2) a(i + 1) = i
    a(i) = 2
  end do
end program
