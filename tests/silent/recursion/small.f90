! A small recursive procedure that is called in itself from several places.
program right
  integer :: n = 15
  print *, fibonacci(n), depth(20000)
contains
    recursive integer function fibonacci(n) result(f)
      integer, intent(in) :: n
      if (n < 2) then
        f = n
      else
        f = fibonacci(n - 1) + fibonacci(n - 2)
      end if
    end function
    recursive integer function depth(n) result(d)
      integer, intent(in) :: n
      if (n < 1) then
        d = 0
      else
        d = depth(n - 1) + 1
      end if
    end function
end program
