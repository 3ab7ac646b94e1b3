subroutine eliminate(ld, m, n, x, y)
  integer :: ld, m, n, i, j
  real :: x(ld, *), y(ld, *)
  do j = 1, n
    do i = 1, m
      x(i, j) = x(i, j) - 2 * y(i, j)
    end do
  end do
end subroutine
program right
  real :: a(10, 10)
  a = 1
  call eliminate(10, 3, 4, a(1, 1), a(4, 1))
  call eliminate(10, 5, 4, a(1, 1), a(1, 5))
  print *, sum(a)
end program
