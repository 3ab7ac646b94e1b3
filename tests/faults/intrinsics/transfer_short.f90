! told at 4:21: Argument 'source' of intrinsic 'transfer' is too short
program fault
  integer(2) :: k = 1
  print *, transfer(k, 1_8)
end program
