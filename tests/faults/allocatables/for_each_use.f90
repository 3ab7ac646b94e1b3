! told at 7:5, where i = 2: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  integer :: i
  allocate (a(3))
  do i = 1, 3
    a(i) = 1
    deallocate (a)
  end do
end program
