! told at 8:5: Index '2' of dimension 1 of array 'p' above upper bound of 1
program fault
  integer, target :: a(4) = 0
  integer, pointer :: p(:)
  integer :: n
  n = 2
  p => a(n:n)
  p(n) = 2
  print *, a
end program
