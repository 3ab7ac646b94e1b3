! told at 5:11: Variable 'a' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: a(5), x
  x = sum(a)
  print *, x
end program
