! DO variables after their loops, and changed when no loop runs.
program right
  integer :: i, j, s
  s = 0
  do i = 1, 10
    if (i == 4) exit
  end do
  i = i + 1
  do j = 10, 1
    s = s + j
  end do
  j = j + 5
  do i = i, i + 2
    s = s + i
  end do
  print *, i, j, s
end program
