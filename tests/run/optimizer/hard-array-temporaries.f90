! Array statements where a temporary is needed and where it is not.
program hard_array_temporaries
  implicit none
  integer :: a(6, 6), b(6), i, j
  do j = 1, 6
    do i = 1, 6
      a(i, j) = 10 * i + j
    end do
  end do
  a(2:5, 2:5) = (a(1:4, 2:5) + a(3:6, 2:5) + a(2:5, 1:4) + a(2:5, 3:6)) / 4
  print *, a(:, 3)
  a(1:5, :) = a(2:6, :)
  print *, a(1, :)
  a(:, 2:6) = a(:, 1:5)
  print *, a(2, :)
  a(2:6, 2:6) = a(1:5, 1:5) + a(2:6, 2:6)
  print *, a(3, :)
  b = a(3, :)
  a(3, :) = a(:, 3)
  a(:, 3) = b
  print *, a(3, :), a(:, 3)
  a(6:1:-1, 1) = a(1:6, 1)
  print *, a(:, 1)
  b(1:5) = b(2:6) + b(6)
  b(2:6:2) = b(1:5:2) * b(2)
  print *, b
  where (a(2:6, 1) > a(1:5, 1)) a(1:5, 1) = a(2:6, 1)
  print *, a(:, 1)
end program
