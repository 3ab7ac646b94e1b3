! NORM2 along the first dimension, which is distributed: a sum and a scale go from rank to rank for each column, and all ranks take the root.
program least_norm
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), s(n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(BLOCK, *)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 97) / 8d0
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 0.125d0
    s = norm2(a, dim=1)
  end do
  print '(2es24.16)', s(3), s(60)
end program
