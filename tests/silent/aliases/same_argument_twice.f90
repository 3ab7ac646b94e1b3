! One variable twice is no fault where it is only read.
program right
  real :: a(3)
  a = (/ 1.0, 2.0, 3.0 /)
  print *, dot(a, a, 3)
contains
  real function dot(x, y, n)
    integer, intent(in) :: n
    real, intent(in) :: x(n), y(n)
    dot = sum(x * y)
  end function
end program
