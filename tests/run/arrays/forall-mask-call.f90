! FORALL and WHERE with masks and values from PURE functions.
module m
  implicit none
contains
  pure logical function even(i)
    integer, intent(in) :: i
    even = mod(i, 2) == 0
  end function
  pure integer function square(i)
    integer, intent(in) :: i
    square = i*i
  end function
  elemental logical function positive(x)
    real, intent(in) :: x
    positive = x > 0
  end function
end module
program p
  use m
  implicit none
  integer :: a(8), i, j, b(3,3)
  real :: x(5)
  a = 0
  forall (i=1:8, even(i)) a(i) = square(i)
  print *, a
  forall (i=1:3, j=1:3, even(i + j) .and. i /= j)
    b(i, j) = i*10 + j
  end forall
  forall (i=1:3, j=1:3, .not. (even(i + j) .and. i /= j)) b(i, j) = 0
  print *, b
  x = [-1., 2., -3., 4., 0.]
  where (positive(x))
    x = sqrt(x)
  elsewhere (x < -2)
    x = -99
  elsewhere
    x = 0
  end where
  print '(5f8.3)', x
end program
