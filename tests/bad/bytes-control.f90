! An escape sequence in the code: shown escaped, never sent to the terminal.
program bytes_control
  implicit none
  integer :: i
  i = [31m1
end program
