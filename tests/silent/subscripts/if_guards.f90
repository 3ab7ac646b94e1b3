! A subscript is asked before it is used.
program right
  integer :: a(4), i, n
  a = (/ 3, 1, 0, 7 /)
  n = 0
  do i = 0, 5
    if (i >= 1 .and. i <= 4) then
      if (a(i) > 0) n = n + a(i)
    end if
  end do
  i = 5
  do while (i > 4)
    i = i - 1
  end do
  print *, n, a(i)
end program
