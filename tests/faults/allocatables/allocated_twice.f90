! told at 5:13: Attempting to allocate already allocated variable 'a'
program fault
  integer, allocatable :: a(:)
  allocate (a(3))
  allocate (a(4))
end program
