! ERROR STOP with an expression.
program p
  implicit none
  integer :: n
  n = 3
  print *, 'before'
  if (n > 2) error stop n + 4
  print *, 'after'
end program
