! told at 6:15: The result of function 'f' is not set
program fault
  real, external :: f
  print *, f(0)
end program
real function f(n)
  integer :: n
  if (n > 0) f = n
end function
