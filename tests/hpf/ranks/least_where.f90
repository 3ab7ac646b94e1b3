! Masked assignments of arrays that are aligned send nothing.
program least_where
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), b(n, n), c(n, n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN (i, j) WITH a(i, j) :: b, c
  do j = 1, n
    do i = 1, n
      a(i, j) = i + j
      b(i, j) = mod(i * j, 9)
      c(i, j) = 0
    end do
  end do
  do k = 1, steps
    where (b > 4)
      a = b - 1
      c = a + c
    elsewhere (a > 70)
      c = a
    elsewhere
      a = a + 1
    end where
    where (mod(int(a), 3) == 1) b(:, :) = c - b
    c(2:n, 3:n - 1) = merge(a(2:n, 3:n - 1), b(2:n, 3:n - 1), c(2:n, 3:n - 1) > a(2:n, 3:n - 1))
  end do
  print '(6f12.3)', a(3, 4), a(60, 64), b(17, 33), b(64, 1), sum(c), sum(b)
end program
