! told at 7:16: Substring out of bounds: upper bound (4) of 'c' exceeds string length (2)
program fault
  character(:), allocatable :: c
  integer :: n
  c = 'ab'
  n = 4
  print *, c(1:n)
end program
