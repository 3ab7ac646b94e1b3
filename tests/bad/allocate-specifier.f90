program p
  integer, allocatable :: a(:)
  allocate (a(3), status=i)
end program
