! The greatest and the least of what neighbours make, one after the other: alone, with stores of what was read or computed,
! two in a loop, in single precision, and with values that are used before and after.
program chains
  implicit none
  integer, parameter :: n = 41
  double precision :: a(n), b(n), c(n), m, least
  real :: r(n), s(n), most, fewest
  integer :: i, k
  do i = 1, n
    a(i) = mod(7 * i, 13) - 6.5d0
    b(i) = mod(5 * i, 11) * 0.75d0
    r(i) = mod(3 * i, 17) - 8.25
    s(i) = mod(11 * i, 7) * 0.5
  end do
  c(1) = 0
  do k = n - 9, n
    m = -1
    do i = 1, k
      m = max(m, abs(a(i) - b(i)))
      b(i) = a(i)
    end do
    print *, m
    m = 0
    least = 0
    do i = 2, k
      c(i) = a(i - 1) * 0.5d0 + b(i)
      m = max(abs(c(i)), m)
      least = min(least, c(i) * a(i))
    end do
    print *, m, least
    m = c(2)
    do i = 2, k
      m = min(m, c(i))
      a(i) = a(i) + m
    end do
    print *, m
    most = -100
    fewest = 100
    do i = 1, k
      most = max(most, r(i) * 2 - s(i))
      fewest = min(r(i) + s(i), fewest)
      r(i) = s(i)
      s(i) = s(i) + 0.25
    end do
    print *, most, fewest
    m = 0
    do i = 1, k - 1
      m = max(m, a(i) * b(i + 1))
      b(i) = b(i) - m
    end do
    print *, m
  end do
  print '(4es24.16)', a, b, c
  print '(5es16.8)', r, s
end program chains
