! told at 7:10: Index '9' of dimension 1 of array 'a' above upper bound of 4
program fault
  real, target :: a(4) = 0
  real, pointer :: p
  integer :: n
  n = 9
  p => a(n)
  print *, p
end program
