! told at 6:22: The result of function 'f' is not set
program fault
  k = f(2)
  print *, k
contains
    integer function f(n)
      integer, intent(in) :: n
      print *, n
    end function
end program
