! TRANSPOSE of integers, characters and logicals, and of sections.
program transform_transpose
  implicit none
  integer :: a(2, 3), b(3, 2), i
  character(len=2) :: s(2, 2)
  logical :: l(1, 3)
  a = reshape((/ (i, i = 1, 6) /), (/ 2, 3 /))
  b = transpose(a)
  print *, b
  print *, transpose(a(:, 3:1:-2)), shape(transpose(a))
  s = reshape((/ 'ab', 'cd', 'ef', 'gh' /), (/ 2, 2 /))
  print *, transpose(s)
  l(1, :) = (/ .true., .false., .true. /)
  print *, shape(transpose(l)), transpose(l)
end program
