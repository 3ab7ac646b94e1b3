! told at 7:12: Variable 'a' is used before it has a value: 2 of its elements have none
! flags: -fcheck=undefined
program fault
  integer :: a(8)
  a(1:7:2) = 3
  print *, a(1:7:2)
  print *, a(1:4)
end program
