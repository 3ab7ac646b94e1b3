! told at 5:10: Actual argument contains too few elements for dummy argument 'x' (4/6)
program fault
  integer :: a(4) = 0, n
  n = 6
  call s(a, n)
  print *, a
end program
