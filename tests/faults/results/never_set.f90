! told at 7:22: The result of function 'f' is not set
program fault
  integer :: n
  n = 2
  print *, f(n)
contains
    integer function f(n)
      integer, intent(in) :: n
      if (n < 0) f = 1
    end function
end program
