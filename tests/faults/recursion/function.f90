! told at 6:18: Recursive call to nonrecursive procedure 'f'
program fault
  integer, external :: f
  print *, f(3)
end program
integer function f(n)
  integer :: n
  integer, external :: g
  f = 0
  if (n > 0) f = g(n - 1)
end function
integer function g(n)
  integer :: n
  integer, external :: f
  g = f(n)
end function
