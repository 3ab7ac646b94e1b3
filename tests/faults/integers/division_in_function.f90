! told at 7:15: Integer division by zero
program fault
  print *, ratio(3, 0)
contains
    integer function ratio(a, b)
      integer, intent(in) :: a, b
      ratio = a / b
    end function
end program
