! The shape that RESHAPE gets is a constructor with an array in it.
program transform_reshape_joined
  implicit none
  integer :: d(2) = [2, 3], i
  integer :: a(12) = [(i, i=1,12)], f(2,3,2), g(3,2,2)
  f = reshape(a, [d, 2])
  print *, f(2,3,1), f(1,1,2), f(2,3,2)
  print *, shape(reshape(a, [d, 2]))
  g = reshape(a, [d(2:1:-1), 2], order=[3, 1, 2])
  print *, g
  print *, sum(reshape(a, (/ 2, d, 1 /)), dim=2)
end program
