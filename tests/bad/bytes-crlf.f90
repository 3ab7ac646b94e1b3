! Lines end with CR LF; the line numbers are still right.
program bytes_crlf
  implicit none
  integer :: i
  i = k
  i = 2
end program
