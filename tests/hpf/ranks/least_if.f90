! A condition of the source that depends on elements is evaluated by the owner of one, where all in its arms is that rank's work.
program least_if
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), b(n, n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
      b(i, j) = 0
    end do
  end do
  do k = 1, steps
    do j = 2, n - 1
      do i = 1, n
        if (a(i, j) > 3) b(i, j) = a(i, j - 1) + a(i, j + 1)
      end do
    end do
    do j = 1, n
      do i = 1, n
        a(i, j) = 8 - a(i, j)
      end do
    end do
  end do
  print '(3f12.3)', b(3, 4), b(60, 63), sum(b)
end program
