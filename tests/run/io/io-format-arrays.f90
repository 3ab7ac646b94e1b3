! Formats at run time: a variable, an array of characters, an element, an expression, a label that ASSIGN set.
program format_arrays
  character(8) :: f(3) = ['(i3,    ', '1x,''mid''', ',f6.2)  ']
  character(20) :: g(2) = ['(i5)                ', '(i2,/,i2)           ']
  character(:), allocatable :: h
  integer :: n = 7
  print f, 1, 2.5
  write (*, f) 2, 3.5
  print g(1), 42
  print g(2), 1, 2
  h = '(i0,"' // repeat('-', 5) // '")'
  print h, 9
  write (*, '(i' // char(ichar('0') + n) // ')') 77
  print trim(g(1)) // ' ', 43
  print '(a)', 'abc' // 'def'
  print '(i3) this is ignored', 5
end program
