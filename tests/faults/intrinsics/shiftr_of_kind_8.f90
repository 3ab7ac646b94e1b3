! told at 6:22: The argument 'shift' of 'shiftr' is 65, but must be from 0 to 64
program fault
  integer(8) :: k = 1
  integer :: n
  n = 65
  print *, shiftr(k, n)
end program
