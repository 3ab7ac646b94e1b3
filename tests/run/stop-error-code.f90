! ERROR STOP with a number.
program stop_error_code
  implicit none
  integer :: i
  i = 3
  if (i > 2) error stop 42
  print *, 'not reached'
end program
