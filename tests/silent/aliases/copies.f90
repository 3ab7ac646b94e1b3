program right
  integer :: n
  real :: a(6)
  n = 3
  a = [1., 2., 3., 4., 5., 6.]
  call s((n), n)
  call v(n, n)
  call w(a(1:5:2), a(2:6:2))
  print *, n, a
contains
  subroutine s(a, b)
    integer :: a, b
    b = a + 1
    b = b + a
  end subroutine
  subroutine v(a, b)
    integer, value :: a
    integer, intent(inout) :: b
    b = a + 1
    b = b + a
  end subroutine
  subroutine w(x, y)
    real, intent(inout) :: x(:)
    real, intent(in) :: y(:)
    x = x + y
  end subroutine
end program
