! told at 4:10: The argument 'a' of 's' has 3 elements, but 2 are passed
program fault
  real :: b(5) = 1
  call s(b(4))
end program
