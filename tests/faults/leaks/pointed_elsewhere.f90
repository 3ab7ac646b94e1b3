! told at 6:13: Memory of pointer 'p' is never deallocated: 12 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  real, pointer :: p(:)
  real, target :: a(2) = 1
  allocate (p(3))
  p = 1
  p => a
  print *, p
end program
