! A two-dimensional array worked on through a one-dimensional view.
program equivalence_loop
  implicit none
  double precision :: m(4, 4), v(16), diagonal(4)
  integer :: i, j
  equivalence (m, v)
  do i = 1, 16
    v(i) = i
  end do
  do j = 1, 4
    do i = 1, 4
      m(i, j) = m(i, j) + v(17 - (i + 4 * (j - 1)))
    end do
  end do
  print *, v
  do i = 1, 16, 5
    v(i) = 0.0d0
  end do
  do i = 1, 4
    diagonal(i) = m(i, i) + i
  end do
  print *, diagonal, sum(m)
end program
