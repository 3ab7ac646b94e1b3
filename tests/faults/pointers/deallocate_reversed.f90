! told at 6:15: Pointer 'q' cannot be deallocated: its target is a part of what was allocated
program fault
  real, pointer :: p(:), q(:)
  allocate (p(4))
  q => p(4:1:-1)
  deallocate (q)
end program
