! told at 6:15: Pointer 'x' is not associated
program fault
  real, pointer :: x
  character(4) :: s = ' 1.5'
  nullify (x)
  read (s, *) x
  print *, x
end program
