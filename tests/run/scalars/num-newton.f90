! Newton's method and bisection in double precision, counted steps.
program num_newton
  implicit none
  double precision :: x, f, a, b, m
  integer :: k
  x = 1.0d0
  do k = 1, 50
    f = x * x - 2.0d0
    if (abs(f) < 1.0d-14) exit
    x = x - f / (2.0d0 * x)
  end do
  print *, k, x
  a = 0.0d0
  b = 2.0d0
  k = 0
  do
    m = (a + b) / 2.0d0
    if (m == a .or. m == b) exit
    if ((m * m - 2.0d0) * (b * b - 2.0d0) <= 0.0d0) then
      a = m
    else
      b = m
    end if
    k = k + 1
  end do
  print *, k, a, b
end program
