! OPTIONAL arguments and PRESENT, passed on to another procedure.
program more_optional
  implicit none
  call outer(1)
  call outer(1, 2)
  call outer(a=1, c=3)
  call outer(1, 2, 3)
contains
  subroutine outer(a, b, c)
    integer, intent(in) :: a
    integer, intent(in), optional :: b, c
    integer :: sum
    sum = a
    if (present(b)) sum = sum + 10 * b
    print *, 'sum', sum
    call inner(c)
  end subroutine outer
  subroutine inner(c)
    integer, intent(in), optional :: c
    if (present(c)) then
      print *, 'c', c
    else
      print *, 'no c'
    end if
  end subroutine inner
end program
