! Shifts, boundaries, orders and elements of constructors that agree.
program right
  integer, allocatable :: a(:, :), s(:)
  integer :: d, order(3), cube(2, 3, 4)
  character(5) :: words(3)
  allocate (a(2, 4))
  a = reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 4])
  do d = 1, 2
    s = [(1, k = 1, size(a, 3 - d))]
    a = cshift(a, s, d)
    a = eoshift(a, s, boundary=s, dim=d)
    a = eoshift(a, -1, 7, d)
  end do
  print *, a
  do d = 1, 3
    order = cshift([1, 2, 3], d)
    cube = reshape([(k, k = 1, 24)], [2, 3, 4], order=order)
    print *, cube(2, 1, 3), sum(cube, min(d, 3))
  end do
  words = [character(5) :: 'a', 'bcd', repeat('e', d - 4)]
  print *, words, [(words(k)(2:3), k = 1, 3)], [words(1:0), words]
end program
