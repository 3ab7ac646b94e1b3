! OPTIONAL arguments passed on, keywords, arrays and strings among them.
module m
  implicit none
contains
  subroutine outer(a, b, c, s)
    integer, intent(in) :: a
    integer, intent(in), optional :: b, c(:)
    character(len=*), intent(in), optional :: s
    call inner(a, b, c, s)
  end subroutine
  subroutine inner(a, b, c, s)
    integer, intent(in) :: a
    integer, intent(in), optional :: b, c(:)
    character(len=*), intent(in), optional :: s
    print *, a, present(b), present(c), present(s)
    if (present(b)) print *, b
    if (present(c)) print *, c, size(c)
    if (present(s)) print *, s, len(s)
  end subroutine
  function total(x, scale) result(t)
    real, intent(in) :: x(:)
    real, optional :: scale
    real :: t
    t = sum(x)
    if (present(scale)) t = t*scale
  end function
end module
program p
  use m
  implicit none
  call outer(1)
  call outer(1, 2)
  call outer(1, c=[1, 2, 3])
  call outer(1, s='abc', b=5)
  call outer(s='x', c=[9], b=8, a=7)
  print *, total([1., 2.]), total([1., 2.], 2.), total(scale=0.5, x=[4.])
end program
