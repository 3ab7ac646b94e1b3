! told at 4:10: The argument 'n' of 's' is a scalar, but an array of rank 1 is passed
program fault
  integer :: a(3) = 1
  call s(a)
end program
