! told at 5:16: Variable 'z' is used before it has a value
! flags: -fcheck=undefined
program fault
  complex :: z
  print *, abs(z)
end program
