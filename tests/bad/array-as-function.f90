! A scalar used like a function, a function without brackets, an array called.
program array_as_function
  implicit none
  integer :: i
  i = 3
  i = i(2)
  i = f + 1
  i = f()(1)
contains
  integer function f()
    f = 1
  end function f
end program
