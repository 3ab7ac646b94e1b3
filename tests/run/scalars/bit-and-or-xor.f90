! AND, OR and XOR take integers or logical values, also in constant expressions.
program bit_and_or_xor
  implicit none
  integer, parameter :: k = xor(12, 10)
  logical, parameter :: l = and(.true., .false.)
  integer :: i
  logical :: p, q
  i = 6
  p = i > 5
  q = i > 6
  print *, k, and(i, 3), or(i, 9), xor(i, -1)
  print *, l, and(p, q), or(p, q), xor(p, q), xor(p, p)
end program
