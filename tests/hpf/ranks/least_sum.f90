! Sums along a dimension that is not distributed send nothing.
program least_sum
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), s(n), t(n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ ALIGN (i) WITH a(i, *) :: s, t
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 1
    s = sum(a, dim=2)
    t = sum(a, dim=2, mask=a > 4)
  end do
  print '(4f12.3)', s(3), s(60), t(1), t(64)
end program
