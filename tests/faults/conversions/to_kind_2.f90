! told at 7:7: Value out of range in the conversion to INTEGER(2): 40000
! flags: -fcheck=overflow
program fault
  integer :: n
  integer(2) :: k
  n = 40000
  k = n
  print *, k
end program
