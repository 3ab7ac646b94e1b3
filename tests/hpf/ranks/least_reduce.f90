! Reductions along the first dimension, which is distributed: the results go from rank to rank, as many as there are columns, and from the last one to all.
program least_reduce
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), s(n), p(n)
  integer :: g(n, n), m(n), c(n), i, j, k
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ ALIGN g(i, j) WITH a(i, j)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9) / 8d0
      g(i, j) = mod(i * j, 99)
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 0.125d0
    g(:, :) = g + 1
    s = sum(a, dim=1)
    p = product(a, dim=1)
    m = maxval(g, dim=1)
    c = count(a > 0.5d0, dim=1)
  end do
  print '(2es24.16)', s(3), s(60), p(3), p(60)
  print '(4i5)', m(3), m(60), c(3), c(60)
end program
