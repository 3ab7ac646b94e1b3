! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer(1) :: n
  n = 127
  n = n + 1_1
  print *, n
end program
