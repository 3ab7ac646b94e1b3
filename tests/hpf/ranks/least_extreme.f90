! Extremes of reals and their places along the first dimension, which is distributed: a value, and what is known of it, go from rank to rank for each column.
program least_extreme
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), s(n), p(n)
  integer :: m(n), i, j, k
!HPF$ DISTRIBUTE a(BLOCK, *)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 97) / 8d0
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 0.125d0
    s = maxval(a, dim=1)
    p = minval(a, dim=1, mask=a > 2)
    m = maxloc(a, dim=1)
  end do
  print '(2es24.16)', s(3), s(60), p(3), p(60)
  print '(4i5)', m(3), m(60)
end program
