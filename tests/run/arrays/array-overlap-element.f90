! The scalar on the right is an element of the array that is assigned.
program array_overlap_element
  implicit none
  integer :: a(5), m(2, 3), i
  a = (/ (i + 1, i = 1, 5) /)
  a = a(3) * a
  print *, a
  a(2:5) = a(2)
  print *, a
  m = reshape((/ 1, 2, 3, 4, 5, 6 /), (/ 2, 3 /))
  m(:, 2) = m(:, 2) - m(1, 2)
  m(:, 1:3) = m(:, 1:3) * m(2, 3)
  print *, m
end program
