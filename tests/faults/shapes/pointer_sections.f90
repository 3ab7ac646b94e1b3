! told at 8:11: Array bound mismatch for dimension 1 of array 'q' (3/2)
program fault
  real, target :: a(6)
  real, pointer :: p(:), q(:)
  a = 1
  p => a(1:5:2)
  q => a(2:6:4)
  p = p * q
  print *, a
end program
