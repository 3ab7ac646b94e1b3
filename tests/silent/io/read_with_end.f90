! READ that ends early: only what has been read is used.
program right
  integer :: a, b, e
  character(6) :: t = '12'
  a = 0
  b = -1
  read (t, *, iostat=e) a, b
  print *, e < 0
  read (t, '(I2)', iostat=e) a
  print *, a, e
end program
