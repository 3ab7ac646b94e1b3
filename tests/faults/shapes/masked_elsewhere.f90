! told at 9:14: Array bound mismatch for dimension 1 of array 'm' (4/5)
program fault
  integer :: a(4) = (/ 1, 2, 3, 4 /)
  logical, allocatable :: m(:)
  allocate (m(5))
  m = .true.
  where (a > 2)
    a = 0
  elsewhere (m)
    a = 1
  end where
  print *, a
end program
