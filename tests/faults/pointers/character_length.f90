! told at 5:11: Unequal character lengths (5/8) in pointer assignment
program fault
  character(10), target :: line = 'characters'
  character(5), pointer :: word
  word => line(:index(line, 'e'))
  print *, word
end program
