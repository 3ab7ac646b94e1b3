! told at 5:7: Incorrect size in SOURCE argument to RESHAPE intrinsic: is 5, should be 6
program fault
  integer :: a(6) = 1, b(2, 3), n
  n = 5
  b = reshape(a(1:n), [2, 3])
  print *, b
end program
