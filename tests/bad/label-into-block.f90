! Jumps into the middle of a loop and of a block IF.
program label_into_block
  implicit none
  integer :: i
  i = 1
  go to 10
  do i = 1, 3
10  print *, i
  end do
  go to 20
  if (i == 2) then
20  print *, i
  end if
end program
