! The order of additions is part of the result: a sum must not be reordered.
program hard_interchange_order
  implicit none
  double precision :: m(6, 6), s, c(6)
  integer :: i, j
  do j = 1, 6
    do i = 1, 6
      m(i, j) = (-1.0d0) ** (i + j) * 10.0d0 ** (3 * (i - j))
    end do
  end do
  s = 0.0d0
  do i = 1, 6
    do j = 1, 6
      s = s + m(i, j)
    end do
  end do
  print *, s
  s = 0.0d0
  do j = 1, 6
    do i = 1, 6
      s = s + m(i, j)
    end do
  end do
  print *, s
  c = 0.0d0
  do j = 1, 6
    do i = 1, 6
      c(i) = c(i) + m(i, j)
    end do
  end do
  print *, c
  do i = 1, 6
    do j = 6, 1, -1
      c(i) = c(i) - m(i, j)
    end do
  end do
  print *, c
end program
