! told at 5:32: Stack overflow in procedure 'f'
program fault
  print *, f(1)
contains
    recursive integer function f(n) result(r)
      integer, intent(in) :: n
      integer :: a(1000)
      a = n
      r = f(n + 1) + a(n)
    end function
end program
