! told at 8:9: Incorrect size in SOURCE argument to RESHAPE intrinsic: is 8, should be 9
module m
contains
  function square(v, n) result(a)
    real, intent(in) :: v(:)
    integer, intent(in) :: n
    real :: a(n, n)
    a = reshape(v, (/ n, n /))
  end function
end module
program fault
  use m
  real :: v(8) = 1.0
  print *, sum(square(v, 3))
end program
