! Nests whose bounds say that no rank needs what another one computes there, and some that do need it.
program triangles
  integer, parameter :: n = 9
  real :: a(n, n), l(n, n), b(n)
!HPF$ DISTRIBUTE a(*, CYCLIC)
!HPF$ ALIGN l(i, j) WITH a(i, j)
!HPF$ DISTRIBUTE b(BLOCK)
  integer :: i, j, k
  do j = 1, n
    do i = j, n
      a(i, j) = 1.0 / (i + j)
      if (i == j) a(i, j) = a(i, j) + 2
    end do
    b(j) = j
  end do
  ! The lower triangle is read, the upper one written.
  do j = 2, n
    do i = 1, j - 1
      a(i, j) = a(j, i)
    end do
  end do
  do j = 1, n
    do i = 1, n
      l(i, j) = merge(a(i, j), 0.0, i >= j)
    end do
    do k = 1, j - 1
      do i = j, n
        l(i, j) = l(i, j) - l(i, k) * l(j, k)
      end do
    end do
    l(j, j) = sqrt(l(j, j))
    do i = j + 1, n
      l(i, j) = l(i, j) / l(j, j)
    end do
  end do
  ! The diagonal is both written and read.
  do j = 2, n
    do i = 1, j
      a(i, j) = a(j, i) + a(i, i)
    end do
  end do
  ! Even elements are written and odd ones read, then all are read.
  do i = 2, n - 1, 2
    b(i) = b(i + 1) + b(i - 1)
  end do
  do i = 1, (n - 1) / 2
    b(2 * i) = b(2 * i + 1) * 2
  end do
  do i = 1, (n - 1) / 2
    b(2 * i) = b(2 * i - 2 + 1) + b(i)
  end do
  print '(9f8.4)', a, l, b
end program
