! Arguments with INHERIT stay with the owners that they have at the caller: calls send nothing, nests the columns beside those of the owner.
program least_inherit
  integer, parameter :: n = 64, steps = 5
  real(8) :: a(n, n), b(n, 0:n - 1)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j + 1)
  interface
    subroutine add(x, y, n)
      integer :: n
      real(8) :: x(n, n), y(:, :)
!HPF$ INHERIT x
!HPF$ INHERIT y
    end subroutine
  end interface
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
      b(i, j - 1) = 0
    end do
  end do
  do k = 1, steps
    call add(a, b, n)
  end do
  print '(4f12.3)', a(3, 4), a(60, 63), b(17, 33), sum(b)
end program

subroutine add(x, y, n)
  integer :: n
  real(8) :: x(n, n), y(:, :)
!HPF$ INHERIT x
!HPF$ INHERIT y
  integer :: i, j
  do j = 1, n
    do i = 1, n
      x(i, j) = x(i, j) + 1
    end do
  end do
  do j = 2, n - 1
    do i = 1, n
      y(i, j) = y(i, j) + x(i, j - 1) + x(i, j + 1)
    end do
  end do
end subroutine
