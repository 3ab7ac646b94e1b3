! told at 6:23: Index '3' of dimension 1 of array 'words' above upper bound of 2
program fault
  character(len=5) :: words(2) = 'abc'
  integer :: n
  n = 3
  print *, trim(words(n))
end program
