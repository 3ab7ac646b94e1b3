! told at 7:12: Variable 'later' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: first, later
  common /shared/ first, later
  call start
  print *, later + first
end program
