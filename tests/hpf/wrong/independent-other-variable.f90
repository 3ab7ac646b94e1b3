! Independent other variable.
! expect error T0453 8 9: names 'j'
program wrong
  implicit none
  integer :: i, j
  real :: a(10)
  j = 1
!HPF$ INDEPENDENT (j)
  do i = 1, 10
    a(i) = j
  end do
end program
