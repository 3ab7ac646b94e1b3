! told at 4:10: The argument 'a' of 's' has 4 elements, but 3 are passed
program fault
  real :: b(3) = 1
  call s(b)
end program
