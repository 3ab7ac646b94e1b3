! told at 6:14: Substring out of bounds: lower bound (0) of 'c' is less than one
program fault
  character(5) :: c = 'abcde'
  integer :: n
  n = index(c, 'z')
  print *, c(n:2)
end program
