! told at 6:13, where k = 2: Different CHARACTER lengths (1/2) in array constructor
program fault
  character(4) :: word = 'abcd', parts(4)
  integer :: k
  ! The beginnings of a word, which do not have one length.
  parts = [(word(:k), k = 1, 4)]
  print *, parts
end program
