! Formats that are known at run time only: variables, arrays, expressions, built with internal writes.
program formats
  implicit none
  character(20) :: f
  character(4) :: parts(4)
  character(12) :: g(2, 2)
  integer :: k, w
  f = '(i5)'
  print f, 42
  parts = ['(i3,', 'f6.2', ',a2 ', ')   ']
  print parts, 7, 1.5, 'ab'
  g = reshape(['(3(i2,      ', 'a1),        ', '"end",1x,   ', 'l1)         '], [2, 2])
  print g, 1, 'a', 2, 'b', 3, 'c', .true.
  do w = 3, 6
    write (f, '(a,i0,a)') '(i', w, ',"|")'
    write (*, f) w
  end do
  write (f, '("(",i0,"(i0,:,""-""))")') 3
  print f, (k, k = 1, 5)
  print '(' // repeat('i3,', 3) // '1x)', 1, 2, 3
  f = '(a,i3) and more text'
  print f, 'x', 5
  print trim(pick(1)), 1.25
  print pick(2), 1.25
  write (*, fmt=parts(1) // 'i4)') 1, 2
  write (*, '(a)') [character(3) :: 'a', 'bb', 'ccc']
contains
  function pick(n) result(r)
    integer, intent(in) :: n
    character(10) :: r
    r = '(f6.1)'
    if (n == 2) r = '(es10.2)'
  end function
end program
