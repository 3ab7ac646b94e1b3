! CALL of what is no subroutine, and use of a subroutine as a value.
program call_of_variable
  implicit none
  integer :: i, a(3)
  integer, parameter :: n = 3
  call i
  call a(1)
  call n
  i = 2 + call_of_variable
end program
