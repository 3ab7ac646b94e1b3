program branchy2
  implicit none
  integer, parameter :: n = 600
  real(8) :: a(n, n), lo, hi, s
  integer :: i, j, it, c1, c2
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i*7919 + j*104729, 1000)/1000d0
    end do
  end do
  c1 = 0; c2 = 0; s = 0
  lo = 0.3d0; hi = 0.7d0
  do it = 1, 500
    do j = 2, n - 1
      do i = 2, n - 1
        if (a(i, j) < lo) then
          a(i, j) = a(i, j) + 0.001d0*a(i - 1, j)
          c1 = c1 + 1
        else if (a(i, j) > hi) then
          a(i, j) = a(i, j) - 0.001d0*a(i, j + 1)
          c2 = c2 + 1
        end if
      end do
    end do
    s = s + a(mod(it, n) + 1, 5)
  end do
  print *, c1, c2, s
end program
