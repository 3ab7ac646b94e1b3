! told at 5:7: Variable 'x' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: x, y
  y = x + 1
  print *, y
end program
