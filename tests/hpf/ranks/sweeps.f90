! Recurrences along a distributed dimension: ranks wait for the ones before, or behind; and some that are no sweeps.
program sweeps
  integer, parameter :: n = 10
  real :: a(n, n), b(n, n), c(n), d(n), g(0:n)
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ DISTRIBUTE c(BLOCK)
!HPF$ DISTRIBUTE d(CYCLIC)
!HPF$ DISTRIBUTE g(BLOCK(4))
  real :: e(n, n), x, s
!HPF$ DISTRIBUTE e(BLOCK, BLOCK)
  integer :: i, j, k
  do j = 1, n
    do i = 1, n
      a(i, j) = i - j * 0.5
      b(i, j) = mod(i * j, 7)
      e(i, j) = i + j
    end do
    c(j) = j
    d(j) = n - j
  end do
  g = 1
  do k = 1, 3
    ! Forward and back, the distributed dimension inside and outside.
    do i = 1, n
      do j = 2, n
        a(i, j) = a(i, j - 1) * 0.25 + b(i, j) * 0.125
      end do
    end do
    do j = n - 1, 1, -1
      do i = 1, n
        a(i, j) = a(i, j) - 0.5 * a(i, j + 1)
      end do
    end do
    ! Gauss and Seidel: new values from one side, old ones from the other.
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25 * (b(i, j - 1) + b(i, j + 1) + b(i - 1, j) + b(i + 1, j)) + a(i, j)
      end do
    end do
    ! By two, with a scalar, and an array that is aligned.
    do j = 3, n
      do i = 1, n
        x = a(i, j - 2) + b(i, j - 1)
        a(i, j) = a(i, j) + x
        b(i, j) = b(i, j) - x * 0.5
      end do
    end do
    ! One dimension of two is swept.
    do j = 2, n
      do i = 1, n
        e(i, j) = e(i, j) + 0.5 * e(i, j - 1)
      end do
    end do
    do i = n - 1, 1, -1
      do j = 1, n
        e(i, j) = e(i, j) - 0.25 * e(i + 1, j)
      end do
    end do
    ! Both are: not one after the other.
    do j = 2, n
      do i = 2, n
        e(i, j) = e(i, j) + 0.125 * (e(i - 1, j) + e(i, j - 1))
      end do
    end do
    ! Old and new values from the same side.
    do j = 2, n
      do i = 1, n
        a(i, j) = a(i, j - 1) + 1
        b(i, j) = a(i, max(1, j - 2))
      end do
    end do
    do j = 3, n
      c(j) = c(j - 1) + c(j - 2) * 0.1
    end do
    do j = 1, n - 1
      c(j) = c(j + 1) + c(j)
    end do
    do j = 2, n
      c(j) = c(j - 1) * 0.5
      if (k == 2) c(j - 1) = 7
    end do
    do j = 2, n, 3
      c(j) = c(j - 1) + c(1)
    end do
    do j = 2, n
      d(j) = d(j) + d(j - 1)
    end do
    do j = 1, n
      g(j) = g(j - 1) + c(j) * 0.001
      s = g(j)
    end do
    do j = n, 2, -1
      g(j - 1) = g(j - 1) + g(j) * 0.5
    end do
    print *, s
  end do
  print '(5es14.5)', a, b, e, c, d, g
end program
