! told at 6:15: Pointer 'q' cannot be deallocated: its target is a part of what was allocated
program fault
  real, pointer :: p(:), q(:)
  allocate (p(10))
  q => p(1:5)
  deallocate (q)
end program
