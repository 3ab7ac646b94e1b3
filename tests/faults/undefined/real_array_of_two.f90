! told at 5:7: Variable 'a' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: a(2, 2), t
  t = a(1, 2)
  print *, t
end program
