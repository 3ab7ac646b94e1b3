! told at 6:11: 'x'
! flags: -fcheck=undefined
program fault
  real :: x, y
  y = 2
  y = y + x
  print *, y
end program
