! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: n
  n = 10
  n = n**10
  print *, n
end program
