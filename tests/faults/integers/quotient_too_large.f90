! told at 6:12: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: n
  n = -huge(n) - 1
  print *, n/(-1)
end program
