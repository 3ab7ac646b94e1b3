! told at 5:7: Variable 'c' is used before it has a value
! flags: -fcheck=undefined
program fault
  character(4) :: c, d
  d = c
  print *, d
end program
