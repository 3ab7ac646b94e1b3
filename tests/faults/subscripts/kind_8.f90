! told at 6:14: Index '4294967297' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1
  integer(8) :: n
  n = 4294967297_8
  print *, a(n)
end program
