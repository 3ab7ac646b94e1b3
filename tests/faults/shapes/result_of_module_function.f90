! told at 13:16: Array bound mismatch for dimension 1 of array 'evens' (3/2)
module m
contains
  function evens(v) result(w)
    integer, intent(in) :: v(:)
    integer :: w(size(v) / 2)
    w = v(2::2)
  end function
end module
program fault
  use m
  integer :: a(5) = (/ 1, 2, 3, 4, 5 /), b(3)
  b = a(1:3) + evens(a)
  print *, b
end program
