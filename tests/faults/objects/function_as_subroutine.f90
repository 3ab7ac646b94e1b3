! told at 3:8: 'f' is a function, but is called as a subroutine
program fault
  call f(1)
end program
