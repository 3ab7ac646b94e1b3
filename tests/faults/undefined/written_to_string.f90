! told at 6:24: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  character(len=20) :: text
  integer :: n
  write (text, '(i5)') n
  print *, text
end program
