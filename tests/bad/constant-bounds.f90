program p
  integer :: n = 3
  integer, parameter :: a(n) = 1
  print *, a
end program
