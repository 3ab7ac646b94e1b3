! told at 5:13: Allocatable variable 'n' is not allocated
program fault
  integer, allocatable :: n
  integer :: i
  do i = 1, n
    print *, i
  end do
end program
