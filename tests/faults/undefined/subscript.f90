! told at 5:5: Variable 'k' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: a(3) = 1, k
  a(k) = 2
  print *, a
end program
