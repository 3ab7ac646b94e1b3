! Independent jump.
! expect error T0432 9 7: a jump out of it
program wrong
  implicit none
  integer :: i
  real :: a(10)
!HPF$ INDEPENDENT
  do i = 1, 10
    if (i > 7) goto 10
    a(i) = i
  end do
10 continue
end program
