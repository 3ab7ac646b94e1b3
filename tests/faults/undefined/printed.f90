! told at 8:12: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n
  real :: x
  x = 1
  print *, x
  print *, n
end program
