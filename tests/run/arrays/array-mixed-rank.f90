! Sections of different ranks' arrays that conform with each other.
program array_mixed_rank
  implicit none
  integer :: v(3), m(3, 4), c(2, 3, 4), i
  v = (/ 1, 2, 3 /)
  m = reshape((/ (i, i = 1, 12) /), (/ 3, 4 /))
  c(1, :, :) = m
  c(2, :, :) = -m
  m(:, 2) = v + m(:, 3)
  v = m(3, 2:4) - c(2, 1, 1:3)
  print *, v
  print *, m
  c(:, 2, 1) = m(1:2, 4) * v(2:3)
  print *, c(:, :, 1)
  m = c(1, :, :) * c(2, :, :) + spread(v, 2, 4)
  print *, m
end program
