! Internal files that are arrays: one record an element; reading back; formats in arrays.
program io_internal_arrays
  implicit none
  character(16) :: page(4)
  character(12) :: fmt(2) = ['(i4,f8.2,   ', 'a)          ']
  integer :: i, k(3)
  real :: x
  character(3) :: w
  page = '............'
  write (page, '(a,i3)') ('row', i, i=1, 3)
  print '(4(a,"|"))', page
  read (page, '(3x,i3)') k
  print *, k
  write (page(2), fmt) 17, 3.14159
  print *, page(2)
  write (page(3), fmt) 5, 2.5, 'xy'
  print *, page(3)
  read (page(2), *) i, x
  print *, i, x
  write (page(1:4:3), '(2i6)') 1, 2, 3, 4
  print '(4(a,"|"))', page
  w = 'end'
  write (page(4), '(a)') w
  print *, page(4)
end program
