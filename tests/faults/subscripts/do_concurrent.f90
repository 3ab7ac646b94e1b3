! told at 6:7, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3), i, n
  n = 4
  do concurrent (i = 1:n)
    a(i) = i
  end do
  print *, a
end program
