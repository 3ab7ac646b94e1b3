program right
  real, target :: a(4)
  real, pointer :: p(:)
  a = 1
  p => a
  call s(a, p)
  print *, a
contains
  subroutine s(x, y)
    real, target :: x(:)
    real, pointer :: y(:)
    x(2) = 3
    y(3) = x(2) + y(2)
  end subroutine
end program
