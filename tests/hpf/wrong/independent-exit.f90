! Independent exit.
! expect error T0432 9 7: EXIT
program wrong
  implicit none
  integer :: i
  real :: a(10)
!HPF$ INDEPENDENT
  do i = 1, 10
    if (i == 7) exit
    a(i) = i
  end do
end program
