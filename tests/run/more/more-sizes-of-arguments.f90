! Arguments with as many elements and characters as the dummies declare, or more: sequence association, sections, strings.
program sizes
  implicit none
  integer :: a(12), i, n
  character(len=8) :: s = 'abcdefgh'
  character(len=2) :: w(3) = ['ab', 'cd', 'ef']
  a = [(i, i = 1, 12)]
  n = 4
  call column(a(9), n)
  call column(a(1:8:2), n)
  call matrix(a, 3, n)
  call matrix(a(5), 2, n)
  call some(a(12), 1, 5)
  call some(a, 12, 0)
  call text(s(3:6))
  call text(s)
  call words(w)
  call words(s)
  call elements(a(n))
  call in_module_order(n, a)
contains
  subroutine column(x, n)
    integer, intent(in) :: n, x(n)
    print *, 'column', x
  end subroutine
  subroutine matrix(x, m, n)
    integer, intent(in) :: m, n, x(m, n)
    print *, 'matrix', x(m, n), sum(x)
  end subroutine
  subroutine some(x, n, k)
    integer, intent(in) :: n, k, x(min(n, 12 - k))
    print *, 'some', size(x)
  end subroutine
  subroutine text(c)
    character(len=4), intent(in) :: c
    print *, 'text ', c
  end subroutine
  subroutine words(c)
    character(len=3), intent(in) :: c(2)
    print *, 'words ', c
  end subroutine
  subroutine elements(x)
    integer, intent(in) :: x(9)
    print *, 'elements', x(9)
  end subroutine
  subroutine in_module_order(n, x)
    integer, intent(in) :: n
    integer, intent(inout) :: x(3:n + 2, *)
    x(3, 3) = 0
    print *, 'order', x(3:n + 2, 1:3)
  end subroutine
end program
