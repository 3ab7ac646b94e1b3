! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer(8) :: n
  n = 10_8**10
  n = n*n
  print *, n
end program
