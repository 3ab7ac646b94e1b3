! Triangular nests whose bounds would have to change under interchange.
program hard_triangular
  implicit none
  integer :: a(8, 8), i, j, k, n
  a = 0
  n = 8
  do i = 1, n
    do j = i, n
      a(i, j) = i * 10 + j
    end do
  end do
  do i = 1, n
    do j = 1, i - 1
      a(i, j) = a(j, i) - 1
    end do
  end do
  print *, sum(a), a(8, 1), a(1, 8)
  do i = 2, n
    do j = n, i, -1
      a(j, i) = a(j - 1, i) + a(j, i - 1)
    end do
  end do
  print *, sum(a), a(8, 8)
  k = 0
  do i = 1, n
    do j = i, min(n, i + 2)
      do n = j, i, -1
        k = k + a(n, j) * i
      end do
      n = 8
    end do
  end do
  print *, k, n
  do i = 5, 1, -1
    do j = i * 2, 8
      a(i, j) = -1
    end do
    do j = 9 - i, i
      a(i, j) = -2
    end do
  end do
  print *, a(1:5, :)
end program
