! told at 16:28: Array bound mismatch for dimension 1 of array 'y' (4/6)
module m
contains
  elemental real function add(a, b)
    real, intent(in) :: a, b
    add = a + b
  end function
end module
program fault
  use m
  real :: x(10), y(10)
  integer :: n
  x = 1
  y = 2
  n = 4
  print *, sum(add(x(1:n), y(n:9)))
end program
