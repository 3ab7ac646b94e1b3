! told at 6:15: Attempt to DEALLOCATE unallocated 'a'
program fault
  integer, allocatable :: a(:)
  allocate (a(3))
  deallocate (a)
  deallocate (a)
end program
