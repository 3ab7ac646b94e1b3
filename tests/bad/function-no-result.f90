! A statement in a function's name, RESULT named like the function, no such result.
module m
  implicit none
contains
  integer function f(n) result(f)
    integer, intent(in) :: n
  end function
  integer function g(n) result(n)
    integer, intent(in) :: n
  end function g
end module m
program function_no_result
  implicit none
end program
