! told at 5:7: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer(8) :: n, m
  m = n + 1_8
  print *, m
end program
