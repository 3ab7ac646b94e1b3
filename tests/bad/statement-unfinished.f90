! Statements that stop too early.
program statement_unfinished
  implicit none
  integer :: i, a(3)
  i =
  a(1 = 2
  i = (1 + 2
  i = 3 *
  call
  print *, i
end program
