! SIZE, SHAPE, LBOUND, UBOUND of whole arrays, sections and expressions.
program inquiry_arrays
  implicit none
  integer :: a(3, -1:4), b(0:5), z(5:4)
  print *, size(a), size(a, 1), size(a, dim=2), shape(a)
  print *, lbound(a), ubound(a), lbound(a, 2), ubound(a, 1)
  print *, lbound(b), ubound(b), lbound(b + 1), ubound(b + 1)
  print *, size(z), lbound(z), ubound(z), lbound(z, 1), ubound(z, 1)
  print *, shape(a(:, 0)), shape(a(1:2, ::3)), size(a(2, :))
  print *, lbound(a(:, 0:)), ubound(a(2:, 0:))
  print *, shape(5), size(shape(a)), shape(transpose(a))
end program
