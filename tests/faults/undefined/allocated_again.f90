! told at 12:12: Variable 'k' is used before it has a value: element (3)
! flags: -fcheck=undefined
program fault
  integer, allocatable :: k(:)
  allocate (k(3))
  k = 1
  print *, k
  deallocate (k)
  allocate (k(4))
  k(2) = 5
  print *, k(2)
  print *, k(3)
end program
