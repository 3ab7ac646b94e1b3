! told at 7:7: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  integer(8) :: n
  integer :: m
  n = 10_8**10
  m = n
  print *, m
end program
