! told at 5:15: Index '5' of dimension 1 of array 'a' above upper bound of 4
program fault
  integer :: a(4) = 1, n
  n = 1
  do while (a(n) > 0)
    n = n + 1
  end do
end program
