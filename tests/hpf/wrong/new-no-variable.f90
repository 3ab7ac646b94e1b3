! New no variable.
! expect error T0416 8 6: not a variable
program wrong
  implicit none
  integer :: i
  integer, parameter :: n = 10
  real :: a(n)
!HPF$ INDEPENDENT, NEW(n)
  do i = 1, n
    a(i) = i
  end do
end program
