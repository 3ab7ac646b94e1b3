! NINT, FLOOR and CEILING at halves, near powers of two and at the ends of the kinds; MODULO with constants
program edges
  implicit none
  real(8) :: x(22)
  real(4) :: y(12)
  integer :: i, k
  integer(8) :: j
  integer(1) :: b
  x = [0d0, -0d0, 0.5d0, -0.5d0, nearest(0.5d0, -1d0), -nearest(0.5d0, -1d0), 1.5d0, -1.5d0, 2.5d0, -2.5d0, &
    0.9999999999999999d0, -0.9999999999999999d0, 2147483647d0, -2147483648d0, 2147483646.5d0, -2147483647.5d0, &
    1d-300, -1d-300, tiny(1d0), 1234567.75d0, -1234567.25d0, 7d0]
  do i = 1, size(x)
    print '(3i13, 3i22)', nint(x(i)), floor(x(i)), ceiling(x(i)), nint(x(i), 8), floor(x(i), 8), ceiling(x(i), 8)
  end do
  x(1:8) = [4503599627370495.5d0, -4503599627370495.5d0, 4503599627370497d0, 9007199254740993d0, 1d18, -1d18, &
    9223372036854774784d0, -9223372036854775808d0]
  do i = 1, 8
    print '(3i22)', nint(x(i), 8), floor(x(i), 8), ceiling(x(i), 8)
  end do
  y = [0.0, -0.0, 0.5, -0.5, nearest(0.5, -1.0), -nearest(0.5, -1.0), 8388607.5, -8388607.5, 16777217.0, &
    2147483520.0, -2147483648.0, 3.7]
  do i = 1, size(y)
    print '(3i13, 3i22)', nint(y(i)), floor(y(i)), ceiling(y(i)), nint(y(i), 8), floor(y(i), 8), ceiling(y(i), 8)
  end do
  print '(6i5)', nint(y(12), 1), floor(-y(12), 1), ceiling(y(12), 2), nint(-y(12), 2), floor(y(12), 2), ceiling(-y(12), 1)
  do k = -20, 20, 5
    b = int(k, 1)
    j = k * 1000000000_8 * 1000_8
    print '(12i6)', modulo(k, 16), modulo(k, 7), modulo(k, 1), modulo(k, -7), modulo(k, huge(k)) - k, modulo(b, 8_1), &
      modulo(b, 5_1), modulo(b, 127_1) - b, modulo(j, 4096_8), modulo(j, 1000_8), modulo(int(k, 2), 3_2), &
      modulo(k, 2 ** 30) / 2 ** 20
  end do
  print '(4i12)', modulo(-huge(k) - 1, 16), modulo(-huge(k) - 1, 10), modulo(huge(k), 10), modulo(-huge(k) - 1, huge(k))
end program
