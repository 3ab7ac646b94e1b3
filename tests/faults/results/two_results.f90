! told at 9:22: The result of function 'g' is not set
program fault
  print *, f(1)
contains
    integer function f(n)
      integer, intent(in) :: n
      f = g(n - 1)
    end function
    integer function g(n)
      integer, intent(in) :: n
      if (n > 0) g = n
    end function
end program
