! told at 9:12: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  integer :: k
  k = 1
  allocate (a(3))
  a = 1
  deallocate (a)
  print *, a(k)
end program
