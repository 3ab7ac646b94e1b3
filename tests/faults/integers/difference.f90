! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: n
  n = -huge(n)
  n = n - 2
  print *, n
end program
