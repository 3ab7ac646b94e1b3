! Statements between the loops of a nest, before, after and under a question.
program hard_imperfect_nest
  implicit none
  integer :: a(6, 5), row(6), total, i, j, last
  total = 0
  last = 0
  do i = 1, 6
    row(i) = i
    do j = 1, 5
      a(i, j) = row(i) * j - last
      row(i) = row(i) + mod(a(i, j), 3)
    end do
    last = a(i, 5)
    if (mod(i, 2) == 0) then
      do j = 5, 1, -2
        a(i, j) = a(i, j) + a(i - 1, j)
      end do
    end if
    total = total + row(i)
  end do
  print *, row, total, last
  do j = 1, 5
    print *, a(:, j)
  end do
end program
