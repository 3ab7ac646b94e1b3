! An array of assumed size has no shape that an argument could take over.
subroutine outer(a, b)
  real :: a(5, *), b(*)
  call inner(a)
  call inner(a(:, :3))
  call line(b)
  call line(b(1:2))
contains
  subroutine inner(x)
    real :: x(:, :)
    x = 0
  end subroutine
  subroutine line(x)
    real :: x(:)
    x = 0
  end subroutine
end subroutine
