! told at 6:15: Attempt to DEALLOCATE unallocated 'p'
program fault
  integer, pointer :: p(:)
  allocate (p(3))
  deallocate (p)
  deallocate (p)
end program
