! RETURN in the main program, an alternate return value in a function.
program return_outside
  implicit none
  print *, 1
  if (1 > 2) return 3
end program
integer function f(n)
  implicit none
  integer :: n
  f = n
  return 1
end function
