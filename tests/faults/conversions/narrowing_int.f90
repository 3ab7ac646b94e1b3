! told at 6:12: Value out of range in the conversion to INTEGER(2)
! flags: -fcheck=overflow
program fault
  integer :: n
  n = 70000
  print *, int(n, 2)
end program
