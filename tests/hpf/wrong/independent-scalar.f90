! Independent scalar.
! expect error T0431 9 7: assigns 's'
program wrong
  implicit none
  integer :: i
  real :: a(10), s
!HPF$ INDEPENDENT
  do i = 1, 10
    s = i*2.0
    a(i) = s
  end do
end program
