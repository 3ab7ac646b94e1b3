! told at 5:16, where i = 2: Index '9' of dimension 1 of array 'a' above upper bound of 4
program fault
  integer :: a(4) = 1, k(3) = [1, 9, 2], i
  do i = 1, 3
    print *, a(k(i))
  end do
end program
