! Implied DO in output: nested, with steps, expressions and several items.
program io_implied_do
  implicit none
  integer :: a(3, 4), i, j, n
  do j = 1, 4
    do i = 1, 3
      a(i, j) = 10 * i + j
    end do
  end do
  print *, ((a(i, j), j = 1, 4), i = 1, 3)
  print *, (a(i, i), i * i, i = 3, 1, -1)
  print *, ('x', i, i = 1, 3), 'end', i
  n = 0
  print *, (i, i = 1, n), 'nothing', (a(1, j), j = 1, 4, 3)
  write (*, '(3i4)') ((a(i, j), i = 1, j), j = 1, 3)
  print *, (sum(a(:, j)), j = 1, 4)
end program
