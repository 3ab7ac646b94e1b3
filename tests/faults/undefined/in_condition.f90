! told at 5:7: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n
  if (n > 0) print *, 'yes'
end program
