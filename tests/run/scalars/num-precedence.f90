! Operator precedence and association, with parentheses that must be kept.
program num_precedence
  implicit none
  double precision :: a, b, c
  integer :: i, j
  logical :: l
  a = 1.0d16
  b = -1.0d16
  c = 1.0d0
  print *, (a + b) + c, a + (b + c), a + b + c, c + a + b
  i = 7
  j = 2
  print *, i - j - 1, i - (j - 1), i / j * j, i / (j * j), i * j / 4, i / 4 * j
  print *, -i + j, -(i + j), -i * j, i - (-j)
  l = i > j .or. i < j .and. .false.
  print *, l, .not. i > j .or. .true., .true. .eqv. .false. .neqv. .true.
  print *, 'a' // 'b' == 'ab', 1 + 2 == 3 .and. 2 * 3 > 5
end program
