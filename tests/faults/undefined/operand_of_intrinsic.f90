! told at 5:12: Variable 'x' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: x, y
  y = sqrt(x)
  print *, y
end program
