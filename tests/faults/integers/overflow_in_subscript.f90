! told at 6:14: Integer overflow: 2147483647 + 1
! flags: -fcheck=overflow
program fault
  integer :: a(3) = 1, n
  n = huge(n)
  print *, a(n + 1)
end program
