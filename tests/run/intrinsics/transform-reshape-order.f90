! RESHAPE with an ORDER that is known at run time only.
program main
  implicit none
  integer :: k, order(3), two(2), s(10), p(3), r(2, 4, 3)
  character(3) :: c(2, 3), w(6)
  integer, allocatable :: n(:)
  s = [(k, k = 1, 10)]
  p = [-1, -2, -3]
  order = [3, 1, 2]
  r = reshape(s, [2, 4, 3], p, order)
  print '(24i3)', r
  order = [2, 3, 1]
  print '(24i3)', reshape(s, [2, 4, 3], p, order)
  print '(24i3)', reshape(s, [2, 4, 3], p, order([3, 2, 1]))
  n = [2, 1]
  print '(8i3)', reshape([1, 2, 3, 4, 5, 6], [2, 4], [0, 0], n)
  print '(8i3)', reshape([1, 2, 3, 4, 5, 6], [2, 4], [0, 0], [n])
  print '(8i3)', reshape([1, 2, 3, 4, 5, 6], [2, 4], [0, 0], [2, 1])
  two = [1, 2]
  print '(8i3)', reshape(reshape(s, [2, 4]), [4, 2], order=two)
  w = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr']
  c = reshape(w, [2, 3], order=n)
  print '(6a4)', c
end program main
