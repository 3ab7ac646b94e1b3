! told at 6:3: Array bound mismatch for dimension 1 of array 'a' (3/4)
! flags: -fcheck=bounds -fno-realloc-lhs
program fault
  real, allocatable :: a(:)
  allocate (a(3))
  a = [1.0, 2.0, 3.0, 4.0]
  print *, a
end program
