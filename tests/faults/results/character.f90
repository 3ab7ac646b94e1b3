! told at 5:27: The result of function 'f' is not set
program fault
  print *, f(0)
contains
    character(3) function f(n)
      integer, intent(in) :: n
      if (n > 0) f = 'yes'
    end function
end program
