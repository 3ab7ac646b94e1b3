! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: n
  n = -huge(n) - 1
  n = -n
  print *, n
end program
