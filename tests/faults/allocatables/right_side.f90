! told at 5:7: Allocatable variable 'b' is not allocated
program fault
  integer, allocatable :: b(:)
  integer :: a(3)
  a = b
  print *, a
end program
