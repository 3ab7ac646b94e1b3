! Letters beyond ASCII in a name.
program bytes_letter
  implicit none
  integer :: größe
end program
