! told at 6:15: Pointer 'p' cannot be deallocated: its target was not allocated
program fault
  integer, pointer :: p(:)
  integer, target, save :: a(3)
  p => a
  deallocate (p)
end program
