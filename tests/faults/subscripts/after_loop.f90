! told at 7:14: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = [1, 2, 3], i
  do i = 1, 3
    if (a(i) == 7) exit
  end do
  print *, a(i)
end program
