module m
  real :: weights(3) = [1., 2., 3.]
contains
  real function total(x)
    real, intent(in) :: x(:)
    total = sum(x) + sum(weights)
  end function
  subroutine reset
    weights = 0
  end subroutine
end module
program right
  use m
  print *, total(weights), total(weights(2:3))
  call reset
  print *, total(weights)
end program
