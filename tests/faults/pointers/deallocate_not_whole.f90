! told at 7:15: Pointer 'q' cannot be deallocated
program fault
  integer, pointer :: p(:), q(:)
  allocate (p(3))
  p = 1
  q => p(2:3)
  deallocate (q)
end program
