! told at 6:14: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: a(3) = 1, n
  n = huge(n)
  print *, a(n + 1)
end program
