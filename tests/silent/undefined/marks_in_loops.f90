! Arrays that get their values in several loops, forwards, backwards and over columns.
program right
  integer, parameter :: n = 64
  real(8) :: a(n), b(n), c(n, n)
  integer :: i, j, k(n), first
  first = n / 2
  do i = 1, first
    k(i) = i
    a(i) = i
  end do
  do i = n, first + 1, -1
    a(i) = -i
    k(i) = k(n + 1 - i) + i
  end do
  b(1) = a(1)
  do i = 2, n
    b(i) = b(i - 1) + a(i)
  end do
  do i = 1, n
    do j = 1, first
      c(i, j) = a(i) * b(j)
    end do
    do j = first + 1, n
      c(i, j) = 0
    end do
  end do
  print *, sum(b), sum(c), sum(k)
end program
