! Division and remainder by constants: powers of two, negatives, odd numbers.
program hard_integer_division
  implicit none
  integer :: i, v(13)
  integer(kind=8) :: l
  v = (/ -2147483647, -1000003, -17, -8, -7, -1, 0, 1, 7, 8, 17, 1000003, 2147483647 /)
  do i = 1, 13
    print *, v(i) / 2, v(i) / 8, v(i) / (-4), v(i) / 3, v(i) / 7, v(i) / (-5)
    print *, mod(v(i), 2), mod(v(i), 8), mod(v(i), 3), mod(v(i), -7), modulo(v(i), 8), modulo(v(i), -3)
    l = v(i) * 4000000000_8
    print *, l / 1024, l / 1000000007_8, mod(l, 4096_8), mod(l, 10_8), l / 1, l / (-1)
  end do
end program
