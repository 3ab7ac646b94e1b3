! told at 4:10: The argument 'a' of 's' is an array of rank 1, but a scalar is passed
program fault
  integer :: n = 1
  call s(n)
end program
