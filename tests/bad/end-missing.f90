! The program has no END.
program end_missing
  implicit none
  print *, 1
