! told at 5:15: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = [1, 2, 3], k
  k = 1
  do while (a(k) < 9)
    k = k + 1
  end do
  print *, k
end program
