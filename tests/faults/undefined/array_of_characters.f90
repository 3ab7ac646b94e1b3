! told at 8:12: Variable 'words' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  character(len=3) :: words(3)
  words(1) = 'one'
  words(3) = 'two'
  print *, words(1), words(3)
  print *, words(2)
end program
