! told at 6:14, where i = 6: Substring out of bounds: upper bound (6) of 's' exceeds string length (5)
program fault
  character(5) :: s
  character(1) :: c
  integer :: i
  c(i) = s(i:i)
  s = 'hello'
  print *, c(5), c(6)
end program
