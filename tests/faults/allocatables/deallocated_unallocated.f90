! told at 4:15: Attempt to DEALLOCATE unallocated 'a'
program fault
  real, allocatable :: a(:)
  deallocate (a)
end program
