! told at 5:25: The argument 'ncopies' of 'repeat' is -1, but must be at least 0
program fault
  integer :: n
  n = -1
  print *, repeat('ab', n)
end program
