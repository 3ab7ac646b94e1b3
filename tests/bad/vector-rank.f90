program p
  real :: a(4) = 1
  integer :: v(2, 2) = 1
  print *, a(v)
end program
