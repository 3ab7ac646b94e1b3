program right
  real :: a(4) = 1
  print *, product_of(a, a, 4), dot(a(1:3), a(2:4))
contains
  real function product_of(x, y, n)
    integer, intent(in) :: n
    real :: x(n), y(n)
    product_of = sum(x * y)
  end function
  real function dot(x, y)
    real, intent(in) :: x(:), y(:)
    dot = dot_product(x, y)
  end function
end program
