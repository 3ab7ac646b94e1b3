! Function headers: type prefix, type in the body, RESULT, several RETURNs.
module forms
  implicit none
contains
  integer function prefix(n)
    integer, intent(in) :: n
    prefix = n + 1
    if (n > 10) return
    prefix = prefix * 2
  end function prefix
  function body(x)
    double precision :: body
    double precision, intent(in) :: x
    body = x * x
  end function body
  function named(n) result(value)
    integer, intent(in) :: n
    integer :: value
    value = 0
    if (n < 0) return
    value = n
    value = value + value
  end function named
  logical function is_even(n)
    integer, intent(in) :: n
    is_even = mod(n, 2) == 0
  end function is_even
  complex function rotate(z)
    complex, intent(in) :: z
    rotate = z * (0.0, 1.0)
  end function rotate
end module forms
program proc_function_forms
  use forms
  implicit none
  print *, prefix(3), prefix(30), body(1.5d0), named(-4), named(21)
  print *, is_even(4), is_even(7), rotate((1.0, 2.0))
end program
