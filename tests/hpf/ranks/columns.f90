! (*, BLOCK) and (CYCLIC, *): a sweep along the distributed dimension.
program columns
  integer, parameter :: n = 8
  real(8) :: x(n, n), y(n, n)
!HPF$ DISTRIBUTE x(*, BLOCK)
!HPF$ DISTRIBUTE y(CYCLIC, *)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      x(i, j) = i + 0.1d0 * j
    end do
  end do
  do j = 2, n
    do i = 1, n
      x(i, j) = x(i, j) + 0.5d0 * x(i, j - 1)
    end do
  end do
  y = transpose(x)
  do i = n - 1, 1, -1
    y(i, :) = y(i, :) - y(i + 1, :) / 3
  end do
  print '(8f9.4)', x
  print '(8f9.4)', y
end program
