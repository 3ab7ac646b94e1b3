! adi: the heat equation on a square by alternating directions, 512 x 512 points.
!
! Algorithm: D. W. Peaceman and H. H. Rachford, "The numerical solution of parabolic and elliptic differential equations", J. SIAM 3 (1955). Each
! half step solves a tridiagonal system in each column, or in each row. Columns are distributed, so the systems of the rows go along the ranks.
program adi
  implicit none
  integer, parameter :: n = 512
  integer, parameter :: steps = 60
  double precision, parameter :: r = 0.75d0
  double precision :: u(n, n), v(n, n), c(n), g(n), total
  integer :: i, j, step
!HPF$ DISTRIBUTE u(*, BLOCK)
!HPF$ ALIGN v(i, j) WITH u(i, j)

  do j = 1, n
    do i = 1, n
      u(i, j) = mod(7 * i + 3 * j, 101) * 0.01d0
      if (i == 1 .or. i == n .or. j == 1 .or. j == n) u(i, j) = 0
      v(i, j) = 0
    end do
  end do

  ! The factors of the systems, which are all the same.
  c(1) = 0
  g(1) = 0
  do i = 2, n - 1
    g(i) = 1.0d0 / (1.0d0 + 2.0d0 * r - r * c(i - 1))
    c(i) = r * g(i)
  end do

  do step = 1, steps
    do j = 2, n - 1
      do i = 2, n - 1
        v(i, j) = (u(i, j) * (1.0d0 - 2.0d0 * r) + r * (u(i, j - 1) + u(i, j + 1)) + r * v(i - 1, j)) * g(i)
      end do
      do i = n - 2, 2, -1
        v(i, j) = v(i, j) + c(i) * v(i + 1, j)
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        u(i, j) = (v(i, j) * (1.0d0 - 2.0d0 * r) + r * (v(i - 1, j) + v(i + 1, j)) + r * u(i, j - 1)) * g(j)
      end do
    end do
    do j = n - 2, 2, -1
      do i = 2, n - 1
        u(i, j) = u(i, j) + c(j) * u(i, j + 1)
      end do
    end do
  end do

  total = 0
  do j = 1, n
    do i = 1, n
      total = total + u(i, j)
    end do
  end do
  print *, 'sum ', total
  do i = 16, n, 120
    print *, i, u(i, i), u(i, n + 1 - i)
  end do
end program adi
