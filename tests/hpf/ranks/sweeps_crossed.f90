! Nests with several sweeps: ranks stand in different orders along different grids, and would wait for one another.
program crossed
  implicit none
  integer, parameter :: n = 13
  real(8) :: c(n, n), g(n, n), x(n), w(n), y(n), z(n)
  integer :: i, j
!HPF$ DISTRIBUTE c(BLOCK, BLOCK)
!HPF$ DISTRIBUTE g(*, BLOCK)
!HPF$ ALIGN x(i) WITH c(i, *)
!HPF$ ALIGN y(i) WITH c(*, i)
!HPF$ DISTRIBUTE w(BLOCK)
!HPF$ ALIGN z(i) WITH g(*, i)
  do j = 1, n
    do i = 1, n
      c(i, j) = i + j
      g(i, j) = i - j
    end do
    x(j) = j
    y(j) = -j
    w(j) = mod(j, 3)
    z(j) = mod(j, 4)
  end do
  ! Copies on a grid of two dimensions, and one of one dimension.
  do i = n - 2, 3, -1
    x(i - 1) = 0.25d0 * x(i) + 1
    w(i) = 0.5d0 * w(i + 1) + w(i)
  end do
  ! Along both dimensions of one grid.
  do i = 2, n
    x(i) = 0.25d0 * x(i - 1) + x(i)
    y(i) = 0.5d0 * y(i - 1) + 1
  end do
  ! In both directions along one.
  do i = 2, n - 1
    w(i) = 0.5d0 * w(i - 1) + 1
    z(n - i) = 0.25d0 * z(n - i + 1) + 2
  end do
  ! The same direction, on two arrays of one grid.
  do i = 2, n
    w(i) = 0.5d0 * w(i - 1) + 1
    z(i) = 0.25d0 * z(i - 1) + w(i)
  end do
  do j = 2, n
    do i = 2, n
      c(i, j) = 0.5d0 * c(i - 1, j) + 1
      g(i, j) = 0.25d0 * g(i, j - 1) + c(i, j)
    end do
  end do
  print *, x
  print *, y
  print *, w
  print *, z
  print *, sum(c), sum(g)
end program
