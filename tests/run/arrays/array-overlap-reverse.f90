! Reversal in place and other overlaps with negative strides.
program array_overlap_reverse
  implicit none
  integer :: a(7), b(3, 3), i, n
  n = 7
  a = (/ (i * i, i = 1, 7) /)
  a = a(n:1:-1)
  print *, a
  a(1:4) = a(7:4:-1)
  print *, a
  a(7:3:-1) = a(1:5)
  print *, a
  b = reshape((/ (i, i = 1, 9) /), (/ 3, 3 /))
  b = b(3:1:-1, :)
  print *, b
  b(1:2, 1:2) = b(2:3, 2:3)
  print *, b
  b(:, 1) = b(1, :)
  print *, b
end program
