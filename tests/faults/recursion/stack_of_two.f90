! told at 5:32: Stack overflow in procedure 'a'
program fault
  print *, a(1)
contains
    recursive integer function a(n) result(r)
      integer, intent(in) :: n
      r = b(n) + 1
    end function
    recursive integer function b(n) result(r)
      integer, intent(in) :: n
      r = a(n) + 1
    end function
end program
