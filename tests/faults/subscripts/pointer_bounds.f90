! told at 8:5: Index '2' of dimension 1 of array 'p' above upper bound of 1
program fault
  real, target :: a(4) = 0
  real, pointer :: p(:)
  integer :: n
  n = 2
  p(-2:) => a
  p(n) = 1
  print *, a
end program
