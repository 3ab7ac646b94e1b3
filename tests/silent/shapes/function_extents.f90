! Results of functions have the extents of the other operands.
module m
contains
  function half(v) result(w)
    integer, intent(in) :: v(:)
    integer :: w(size(v) / 2)
    w = v(2::2)
  end function
  function both(n) result(w)
    integer, intent(in) :: n
    integer :: w(n, 2)
    w = n
  end function
end module
program right
  use m
  integer :: a(5) = (/ 1, 2, 3, 4, 5 /), b(2), c(3, 2)
  b = a(1:2) + half(a)
  c = both(3) * both(3)
  print *, b, half(a) == half(a), sum(c), sum(half(a(1:4)) - half(a(2:5)))
end program
