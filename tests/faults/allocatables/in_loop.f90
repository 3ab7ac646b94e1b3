! told at 6:5, where i = 1: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  integer :: i
  do i = 1, 3
    a(i) = i
  end do
end program
