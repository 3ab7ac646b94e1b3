! told at 3:8: 's' is called with 1 argument(s), but has 2
program fault
  call s(1)
end program
