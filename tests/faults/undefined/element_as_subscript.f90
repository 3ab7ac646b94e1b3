! told at 8:14: Variable 'index' is used before it has a value: element (4)
! flags: -fcheck=undefined
program fault
  integer :: index(4), a(4)
  a = 7
  index(1:3) = [1, 2, 3]
  print *, a(index(2))
  print *, a(index(4))
end program
