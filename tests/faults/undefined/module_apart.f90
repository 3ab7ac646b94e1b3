! told at 10:25: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
module m
  integer :: n
end module
program fault
  use m
  external :: work
  call work
  if (.true.) print *, (n)
end program
