! told at 8:13: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n, k
  read (*, *, end=20) k
  n = k
  stop
20 print *, n
end program
