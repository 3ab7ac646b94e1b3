! told at 6:13: Index '5' of dimension 1 of array 'b' above upper bound of 4
program fault
  integer :: a(3) = 1, b(4) = 2, n
  n = 3
  where (a > 0)
    a = b(n:n + 2)
  end where
  print *, a
end program
