! told at 7:13: Array bound mismatch in pointer assignment of 'p' (5/4)
program fault
  real, target :: a(2, 2) = 0
  real, pointer :: p(:)
  integer :: n
  n = 5
  p(1:n) => a
  print *, p
end program
