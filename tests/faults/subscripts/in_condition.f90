! told at 5:15: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 0, n
  n = 4
  do while (a(n) == 0)
    n = n + 1
    if (n > 10) exit
  end do
  print *, n
end program
