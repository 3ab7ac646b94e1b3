! told at 6:3, where i = 4: Loop variable has been modified
program fault
  integer :: i, j, s
  equivalence (i, j)
  s = 0
  do i = 1, 5
    s = s + 1
    if (s == 2) j = 4
  end do
  print *, s
end program
