! The six loop orders of a matrix product, on integers: all must agree.
program hard_matrix_multiply
  implicit none
  integer, parameter :: n = 7
  integer :: a(n, n), b(n, n), c(n, n), d(n, n), i, j, k
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * 3 + j * 5, 11) - 5
      b(i, j) = mod(i * 7 + j * 2, 13) - 6
    end do
  end do
  d = matmul(a, b)
  print *, sum(d), d(3, 4)
  c = 0
  do i = 1, n
    do j = 1, n
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  print *, all(c == d)
  c = 0
  do k = 1, n
    do j = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  print *, all(c == d)
  c = 0
  do j = n, 1, -1
    do k = 1, n
      do i = n, 1, -1
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  print *, all(c == d)
  do i = 1, n
    do j = 1, n
      a(i, j) = 0
      do k = 1, n
        a(i, j) = a(i, j) + d(i, k) * b(k, j)
      end do
    end do
  end do
  print *, all(a == matmul(d, b))
end program
