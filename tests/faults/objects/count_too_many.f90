! told at 3:8: 's' is called with 2 argument(s), but has 1
program fault
  call s(1, 2)
end program
