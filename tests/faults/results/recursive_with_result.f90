! told at 5:22: The result of function 'f' is not set
program fault
  print *, f(3)
contains
  recursive function f(n) result(k)
    integer, intent(in) :: n
    integer :: k
    if (n > 0) then
      k = n + f(n - 1)
    end if
  end function
end program
