! told at 5:9: Stride of dimension 1 of array 'a' is zero
program fault
  integer :: a(3) = 0, n
  n = 0
  a(1:3:n) = 2
  print *, a
end program
