program search2
  use find
  implicit none
  real(8) :: x(200), v
  integer :: i, s, b
  do i = 1, 200
    x(i) = sqrt(real(i, 8))
  end do
  s = 0; b = 0
  v = 0.5d0
  do i = 1, 8000000
    v = mod(v*1.7d0 + 3.1d0, 13.9d0)
    s = s + where_is(x, v)
    b = b + bisect(x, v)
  end do
  print *, s, b
end program
