! Words that begin no statement.
program statement_unknown
  implicit none
  integer :: i
  i = 1
  frobnicate the array
  i = i + 1
  prnt *, i
  print *, i
  retrun
end program
