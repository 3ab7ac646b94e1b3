! Many errors in a row: each is reported on its line.
program too_many_errors
  implicit none
  integer :: i
  i = a1
  i = a2
  i = a3
  i = a4
  i = a5
  i = a6
  i = a7
  i = a8
  i = a9
  i = a10
  i = a11
  i = a12
end program
