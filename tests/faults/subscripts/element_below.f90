! told at 6:14, where i = 1: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3) = 1, i, n
  n = 3
  do i = 1, n
    a(i) = a(i - 1) + 1
  end do
  print *, a
end program
