! told at 10:3: Array bound mismatch for dimension 1 of array 'v%y' (4/3)
program fault
  type t
    real, allocatable :: x(:), y(:)
  end type
  type(t) :: v
  allocate (v%x(3), v%y(4))
  v%x = 1
  v%y = 2
  v%y(:) = v%x - 1
  print *, v%y
end program
