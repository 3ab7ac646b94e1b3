! told at 7:3: Array bound mismatch for dimension 1 of array 'b' (2/3)
program fault
  real, allocatable :: a(:, :)
  real :: b(2, 2)
  allocate (a(2, 3))
  a = 1
  b = transpose(a)
  print *, b
end program
