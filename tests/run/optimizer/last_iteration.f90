! Registers that the last iteration under a condition decides
program last_iteration
  implicit none
  integer, parameter :: n = 103
  real(8) :: a(n), x, lim
  real(4) :: b(n), y
  integer :: k, m, i, j, q, c(n), k2
  integer(8) :: l8
  do i = 1, n
    a(i) = mod(i*37, 101) / 101d0
    b(i) = mod(i*53, 97) / 97.0
    c(i) = mod(i*11, 13)
  end do
  do j = 0, 6
    lim = j * 0.02d0 - 0.01d0
    k = -7; x = -1; m = -3; y = -2; q = -9; l8 = -5; k2 = -1
    do i = 1, n
      if (a(i) < lim) then
        k = i
        x = a(i) + 1
      end if
    end do
    do i = n, 1, -1
      if (b(i) < lim) then
        m = i * 2
        y = b(i)
      else if (c(i) == j) then
        q = i
      end if
    end do
    do i = j - 1 + 2, n - j
      if (a(n + 1 - i) > 1 - lim .and. a(i) < 0.5d0) l8 = i - 10
    end do
    do i = 2, n
      if (a(i) > a(i-1) + 0.5) k2 = i
    end do
    print *, j, k, x, m, y, q, l8, k2
  end do
end program last_iteration
