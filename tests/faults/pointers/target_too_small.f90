! told at 7:18: Array bound mismatch in pointer assignment of 'p' (6/4)
program fault
  integer, target :: a(4) = 0
  integer, pointer :: p(:, :)
  integer :: n
  n = 3
  p(1:2, 1:n) => a
  print *, p
end program
