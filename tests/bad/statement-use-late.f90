! USE must come before everything else.
module m
  implicit none
  integer :: n
end module m
program statement_use_late
  implicit none
  use m
  print *, 1
end program
