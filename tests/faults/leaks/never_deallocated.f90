! told at 5:13: Memory of pointer 'p' is never deallocated: 12 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  real, pointer :: p(:)
  allocate (p(3))
  p = 1
  print *, p
end program
