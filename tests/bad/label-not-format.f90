! A jump to a FORMAT, a FORMAT label on an executable statement, one without label.
program label_not_format
  implicit none
  integer :: i
  i = 1
  go to 10
10 format (i3)
20 continue
  write (*, 20) i
  format (i5)
end program
