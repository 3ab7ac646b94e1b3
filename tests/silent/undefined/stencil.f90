program right
  integer, parameter :: n = 8
  real :: a(n, n), b(n, n), change
  integer :: i, j, iter
  do j = 1, n
    do i = 1, n
      a(i, j) = i
    end do
  end do
  do iter = 1, 5
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
    change = 0
    do j = 2, n - 1
      do i = 2, n - 1
        change = max(change, abs(b(i, j) - a(i, j)))
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
    if (change < 1e-3) exit
  end do
  print *, change
end program
