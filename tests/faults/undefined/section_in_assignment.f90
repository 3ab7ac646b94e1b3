! told at 6:7: Variable 'a' is used before it has a value: 2 of its elements have none
! flags: -fcheck=undefined
program fault
  integer :: a(6), b(3)
  a(1:3) = 1
  b = a(3:5)
  print *, b
end program
