! told at 4:12: 's' is a subroutine, but is used as a function here
program fault
  integer, external :: s
  print *, s(1)
end program
