! told at 3:8: A call of 's' needs its explicit interface: the dummy argument is OPTIONAL
program fault
  call s(1)
end program
