! told at 10:12: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n, m
  m = 3
  if (m > 2) goto 10
  n = 4
10 m = m + 1
  print *, m
  print *, n
end program
