! Several statements on one line, each with its own error.
program two_errors_one_line
  implicit none
  integer :: i
  i = one; i = two; print *, three
  if (four) i = five
end program
