! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: n
  n = 100000
  n = n*n
  print *, n
end program
