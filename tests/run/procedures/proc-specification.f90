! specification expressions with user functions, module data, inquiry
module sizes
  implicit none
  integer, parameter :: base(3) = [2, 3, 5]
  integer :: current = 4
contains
  pure integer function area(n, m)
    integer, intent(in) :: n, m
    area = n*m
  end function
  pure integer function longest(s)
    character(*), intent(in) :: s(:)
    longest = maxval(len_trim(s))
  end function
end module
program p
  use sizes
  implicit none
  call work(3, [1., 2., 3.], ['abc  ', 'de   '])
  current = 6
  call work(2, [1., 2.], ['x', 'y'])
  print *, frame('hello'), len(frame('a')), box(2, 3)
contains
  subroutine work(n, x, names)
    integer, intent(in) :: n
    real, intent(in) :: x(:)
    character(*), intent(in) :: names(:)
    real :: a(area(n, 2)), b(size(x), n), c(-n:n), d(merge(n, 10, n > 2)), e(current), f(base(2))
    character(longest(names)) :: s
    character(len(names)*2) :: t
    integer :: i(lbound(x, 1):ubound(x, 1) + 1)
    s = names(1); t = names(1)
    print *, size(a), shape(b), lbound(c), ubound(c), size(d), size(e), size(f), len(s), len(t), size(i)
    print *, '[', s, '][', t, ']'
  end subroutine
  function frame(s) result(r)
    character(*), intent(in) :: s
    character(len(s) + 4) :: r
    r = '<<'//s//'>>'
  end function
  function box(n, m) result(r)
    integer, intent(in) :: n, m
    integer :: r(n, area(n, m)/n)
    r = n*m
  end function
end program
