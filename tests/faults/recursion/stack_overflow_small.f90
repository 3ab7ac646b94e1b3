! told at 6:32: Stack overflow in procedure 'f'
program fault
  integer :: start = 1
  print *, f(start)
contains
    recursive integer function f(n) result(r)
      integer, intent(in) :: n
      if (n < 1) then
        r = n
      else
        r = f(n + 1) + n
      end if
    end function
end program
