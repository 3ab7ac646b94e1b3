! Logical arrays as masks and values, relational operators on arrays.
program logical_arrays
  implicit none
  integer :: a(5), b(5), i
  logical :: l(5), m(5)
  a = (/ 1, 5, 3, 3, 0 /)
  b = (/ 2, 4, 3, 9, -1 /)
  l = a < b
  m = a == b .or. .not. l
  print *, l, m
  print *, l .and. m, l .neqv. m
  l(2:4) = l(1:3)
  print *, l
  do i = 1, 5
    if (l(i) .eqv. m(i)) cycle
    print *, i, a(i) >= b(i)
  end do
end program
