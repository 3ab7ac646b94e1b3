! Declarations after the first executable statement, IMPLICIT after a type.
program statement_order
  integer :: i
  implicit none
  i = 1
  integer :: j
  print *, i
end program
