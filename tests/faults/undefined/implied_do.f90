! told at 7:13, where i = 4: Variable 'a' is used before it has a value: element (4)
! flags: -fcheck=undefined
program fault
  integer :: a(5), i
  a(1:3) = 1
  print *, (a(i), i = 1, 3)
  print *, (a(i), i = 2, 5)
end program
