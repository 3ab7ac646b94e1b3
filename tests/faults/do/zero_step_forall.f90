! told at 5:19: The step of an index is zero
program fault
  integer :: i, n, a(3) = 0
  n = 0
  forall (i = 1:3:n) a(i) = i
  print *, a
end program
