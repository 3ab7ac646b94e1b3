! told at 5:49: Duplicate value 2 in ORDER argument to RESHAPE intrinsic
program fault
  integer :: order(2), b(2, 3)
  order = 2
  b = reshape([1, 2, 3, 4, 5, 6], [2, 3], order=order)
  print *, b
end program
