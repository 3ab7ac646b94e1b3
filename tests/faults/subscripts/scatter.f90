! told at 6:7, where i = 3: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  real :: a(4) = 1
  integer :: list(3) = [1, 2, 0], i
  do i = 1, 3
    a(list(i)) = 2
  end do
  print *, a
end program
