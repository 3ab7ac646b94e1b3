! Sums along a dimension that is distributed: they go from rank to rank, in the order of the source, and from the last one to all.
program least_sum_across
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), s(n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(*, BLOCK)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 1
    s = sum(a, dim=2)
  end do
  print '(2f12.3)', s(3), s(60)
end program
