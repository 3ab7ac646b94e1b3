! told at 5:22: The argument 'shift' of 'shiftr' is -1, but must be from 0 to 32
program fault
  integer :: n
  n = -1
  print *, shiftr(7, n)
end program
