! The target of READ is an element whose subscript has been read before it.
program right
  integer :: n, v(3)
  character(9) :: t = '2 7'
  v = 0
  read (t, *) n, v(n)
  print *, n, v
end program
