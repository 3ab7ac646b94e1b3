! told at 7:12: 'n'
! flags: -fcheck=undefined
program fault
  integer :: n, m
  m = 1
  if (m > 2) n = 3
  print *, n
end program
