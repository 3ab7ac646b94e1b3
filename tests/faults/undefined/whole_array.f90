! told at 5:7: Variable 'a' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: a(5), b(5)
  b = a * 2
  print *, b
end program
