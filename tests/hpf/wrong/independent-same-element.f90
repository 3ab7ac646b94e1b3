! Independent same element.
! expect error T0430 9 7: the same element
program wrong
  implicit none
  integer :: i
  real :: a(10)
!HPF$ INDEPENDENT
  do i = 1, 10
    a(3) = i
  end do
end program
