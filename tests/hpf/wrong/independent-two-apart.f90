! Independent two apart.
! expect error T0430 11 11: 2 iterations apart
program wrong
  implicit none
  integer :: i, j
  real :: a(10, 10)
  a = 1
!HPF$ INDEPENDENT
  do j = 1, 8
    do i = 1, 10
      a(i, j + 2) = a(i, j)
    end do
  end do
end program
