! told at 9:19: Variable 'a' is used before it has a value: 1 of its elements have none
! flags: -fcheck=undefined
program fault
  real :: a(2, 2), b(2)
  b = 1
  a(1, 1) = 1
  a(2, 1) = 1
  a(1, 2) = 1
  print *, matmul(a, b)
end program
