! told at 10:12: Variable 'count' is used before it has a value
! flags: -fcheck=undefined
module m
  integer :: count, other
end module
program fault
  use m
  external :: helper
  call helper
  print *, count + other
end program
subroutine helper
  use m
  other = 1
end subroutine
