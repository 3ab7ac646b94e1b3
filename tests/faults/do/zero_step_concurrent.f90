! told at 5:26: The step of an index is zero
program fault
  integer :: i, n, a(3) = 0
  n = 0
  do concurrent (i = 1:3:n)
    a(i) = i
  end do
  print *, a
end program
