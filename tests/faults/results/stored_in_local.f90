! told at 5:19: The result of function 'f' is not set
program fault
  print *, f(2.0)
contains
    real function f(x)
      real, intent(in) :: x
      real :: r
      r = x * x
      if (r < 0) f = r
    end function
end program
