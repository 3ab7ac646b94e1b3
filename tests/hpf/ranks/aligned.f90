! Alignments with offset, stride, reversal, transposition, collapse and replication.
program aligned
  integer, parameter :: n = 6
!HPF$ PROCESSORS p(2, 2)
!HPF$ TEMPLATE t(20, 20)
!HPF$ DISTRIBUTE t(BLOCK, CYCLIC(2)) ONTO p
  real :: a(n), b(n, n), c(n), d(n), e(n, n), f(n)
!HPF$ ALIGN a(i) WITH t(2 * i + 1, 3)
!HPF$ ALIGN b(i, j) WITH t(j + 1, 2 * i)
!HPF$ ALIGN c(i) WITH t(20 - i, *)
!HPF$ ALIGN d(*) WITH t(4, 5)
!HPF$ ALIGN e(i, *) WITH t(i, 1)
!HPF$ ALIGN f(i) WITH t(*, 3 * i)
  integer :: i, j
  do i = 1, n
    a(i) = i
    c(i) = -i
    d(i) = i * i
    f(i) = 0
    do j = 1, n
      b(i, j) = i + 10 * j
      e(i, j) = 0
    end do
  end do
  do i = 1, n
    do j = 1, n
      e(i, j) = b(j, i) + a(j) * c(i) - d(j)
    end do
    f(i) = c(n + 1 - i) + e(i, i)
    c(i) = f(i) + d(i)
  end do
  print '(6f8.1)', a, b, c, d, e, f
end program
