! Too few, too many and wrongly typed arguments of internal procedures.
program call_arguments
  implicit none
  integer :: i, a(3)
  double precision :: d
  i = 1
  call s(i)
  call s(i, d, a, i)
  call s(d, d, a)
  call s(i, 'abc', a)
  call s(i, d, i)
  call s(a, d, a)
  i = f(i, i)
  i = f(.true.)
  call f(i)
  i = s(i, d, a)
contains
  subroutine s(x, y, z)
    integer, intent(in) :: x, z(:)
    double precision, intent(in) :: y
    print *, x, y, z
  end subroutine s
  integer function f(n)
    integer, intent(in) :: n
    f = n
  end function f
end program
