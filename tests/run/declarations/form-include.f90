! INCLUDE of declarations and of executable statements, looked up beside the file.
program form_include
  implicit none
  include 'include/shared.inc'
  integer :: k
  k = limit
  include "include/body.inc"
  print *, k, limit
end program
