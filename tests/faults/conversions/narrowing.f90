! told at 7:7: Value out of range in the conversion to INTEGER(1)
! flags: -fcheck=overflow
program fault
  integer :: n
  integer(1) :: m
  n = 300
  m = n
  print *, m
end program
