! told at 5:7: Allocatable variable 'b' is not allocated
program fault
  integer, allocatable :: a(:), b(:)
  allocate (a(3))
  a = b + 1
  print *, a
end program
