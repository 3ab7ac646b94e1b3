! An error inside an included file: it is reported there.
program include_error
  implicit none
  integer :: i
  include 'include/wrong.inc'
  print *, i
end program
