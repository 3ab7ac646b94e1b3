! A no-break space between two words.
program bytes_space
  implicit none
  integer :: i
end program
