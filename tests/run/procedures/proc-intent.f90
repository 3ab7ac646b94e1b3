! INTENT on arguments, keyword arguments in any order.
program proc_intent
  implicit none
  integer :: a, b, c
  a = 1
  b = 2
  call compute(a, b, c)
  print *, a, b, c
  call compute(result=c, x=10, y=b)
  print *, a, b, c
  call compute(5, result=a, y=c)
  print *, a, b, c
contains
  subroutine compute(x, y, result)
    integer, intent(in) :: x
    integer, intent(inout) :: y
    integer, intent(out) :: result
    y = y + x
    result = x * y
  end subroutine compute
end program
