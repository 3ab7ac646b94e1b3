! WHERE inside WHERE, and in a DO loop.
program where_nested
  implicit none
  integer :: m(3, 4), i, j
  m = reshape((/ (i, i = 1, 12) /), (/ 3, 4 /))
  where (m > 3)
    m = m + 100
    where (mod(m, 2) == 0)
      m = -m
    elsewhere
      m = m + 1000
    end where
  elsewhere
    m = 0
  end where
  print *, m
  do j = 1, 4
    where (m(:, j) < 0) m(:, j) = j
  end do
  print *, m
end program
