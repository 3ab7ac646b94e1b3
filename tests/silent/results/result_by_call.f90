! A result that a procedure gives a value.
program right
  print *, f(3)
contains
  integer function f(n)
    integer, intent(in) :: n
    call set(f, n)
  end function
  subroutine set(k, n)
    integer, intent(out) :: k
    integer, intent(in) :: n
    k = n
  end subroutine
end program
