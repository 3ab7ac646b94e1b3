! Independent suspected.
! expect warning T0431 10 8: may assign
program wrong
  implicit none
  integer :: i
  real :: a(10), s
  a = 1
!HPF$ INDEPENDENT
  do i = 1, 10
    if (a(i) > 2) s = i
    a(i) = 2
  end do
end program
