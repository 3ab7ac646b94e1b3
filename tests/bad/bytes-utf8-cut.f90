! A UTF-8 sequence that is cut short in a name.
program bytes_utf8_cut
  implicit none
  integer :: i
  i√ = 1
end program
