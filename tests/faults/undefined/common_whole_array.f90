! told at 7:16: Variable 'm' is used before it has a value: 5 of its elements have none
! flags: -fcheck=undefined
program fault
  integer :: m(3, 2)
  common /grid/ m
  m(2, 1) = 4
  print *, sum(m)
end program
