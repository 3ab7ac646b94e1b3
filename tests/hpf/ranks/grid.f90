! (BLOCK, BLOCK) on a grid, and an aligned array.
program grid
  integer, parameter :: n = 9
  real :: u(n, n), v(n, n), change
!HPF$ DISTRIBUTE u(BLOCK, BLOCK)
!HPF$ ALIGN v(i, j) WITH u(i, j)
  integer :: i, j, it
  do j = 1, n
    do i = 1, n
      u(i, j) = real(i * 10 + j)
      if (i > 1 .and. i < n .and. j > 1 .and. j < n) u(i, j) = 0
    end do
  end do
  do it = 1, 3
    change = 0
    do j = 2, n - 1
      do i = 2, n - 1
        v(i, j) = 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        change = max(change, abs(v(i, j) - u(i, j)))
        u(i, j) = v(i, j)
      end do
    end do
    print '(f10.4)', change
  end do
  print '(9f8.3)', u
end program
