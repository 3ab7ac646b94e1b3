! One label on two statements.
program label_duplicate
  implicit none
  integer :: i
10 i = 1
  go to 10
10 i = 2
20 format (i3)
20 print *, i
end program
