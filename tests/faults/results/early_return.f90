! told at 5:22: The result of function 'f' is not set
program fault
  print *, f(-2)
contains
    integer function f(n)
      integer, intent(in) :: n
      if (n < 0) return
      f = n
    end function
end program
