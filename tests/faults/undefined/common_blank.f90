! told at 8:16: Variable 'z' is used before it has a value
! flags: -fcheck=undefined
program fault
  complex :: z
  character(len=4) :: text
  common z, text
  text = 'abcd'
  print *, abs(z), text
end program
