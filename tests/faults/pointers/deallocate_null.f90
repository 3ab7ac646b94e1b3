! told at 4:15: Attempt to DEALLOCATE unallocated 'p'
program fault
  real, pointer :: p(:) => null()
  deallocate (p)
end program
