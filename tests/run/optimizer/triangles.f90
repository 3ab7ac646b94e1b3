! Columns that a triangular nest keeps apart, or only nearly
program triangles
  implicit none
  integer, parameter :: n = 23
  integer :: i, j, k, m
  real(8) :: a(n, n), b(n, n), c(n)
  a = reshape([(mod(i * 37, 101) / 100d0, i = 1, n * n)], [n, n])
  a = a + transpose(a)
  do i = 1, n
    a(i, i) = a(i, i) + 2 * n
  end do
  b = a
  do j = 1, n
    do k = 1, j - 1
      do i = j, n
        b(i, j) = b(i, j) - b(i, k) * b(j, k)
      end do
    end do
    b(j, j) = sqrt(b(j, j))
    do i = j + 1, n
      b(i, j) = b(i, j) / b(j, j)
    end do
  end do
  print '(3es24.16)', b(n, n), b(n, 1), sum(b)
  ! The column itself is among those that are read.
  b = a / 100
  do j = 1, n
    do k = 1, j
      do i = 2, n
        b(i, j) = b(i - 1, j) * 0.5d0 + b(i - 1, k) * 0.25d0
      end do
    end do
  end do
  print '(2es24.16)', b(n, n), sum(b)
  b = a / 100
  do j = 2, n
    do k = 1, j - 1
      do i = 2, n
        b(i, j) = b(i - 1, k + 1) * 0.5d0 + 0.25d0
      end do
    end do
  end do
  print '(2es24.16)', b(n, n), sum(b)
  b = a / 100
  do k = 1, n
    do j = n, k + 1, -1
      do i = 2, n
        b(i, k) = b(i, k) + b(i - 1, j) * 0.5d0
        b(i, j) = b(i, j) - 0.125d0
      end do
    end do
  end do
  print '(2es24.16)', b(n, n), sum(b)
  ! A bound that changes in the loop, which it had before.
  c = 1
  b = a / 100
  m = 5
  do j = 1, n
    m = j
    do k = 1, m - 1
      m = max(1, mod(k, 7))
      do i = 2, n
        b(i, m) = b(i - 1, k) * 0.5d0 + c(i)
      end do
    end do
  end do
  print '(2es24.16)', b(n, 3), sum(b)
end program
