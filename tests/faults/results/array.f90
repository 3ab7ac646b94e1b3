! told at 5:14: The result of function 'f' is not set
program fault
  print *, f(0)
contains
    function f(n) result(r)
      integer, intent(in) :: n
      real :: r(3)
      if (n > 0) r = 1
    end function
end program
