! Bit functions of Fortran 2008 in constant expressions agree with those at run time.
program bit_constant_functions
  implicit none
  integer, parameter :: a = 1234567, b = -98765, m = 252645135
  integer, parameter :: c(6) = [maskl(5), maskr(7), merge_bits(a, b, m), poppar(a), dshiftl(a, b, 5), dshiftr(a, b, 9)]
  logical, parameter :: l(4) = [bge(a, b), bgt(b, a), ble(a, a), blt(b, 3)]
  integer(8), parameter :: w = maskr(64, 8)
  integer :: x, y, z
  x = a; y = b; z = m
  print *, c
  print *, maskl(x - 1234562), maskr(7), merge_bits(x, y, z), poppar(x), dshiftl(x, y, 5), dshiftr(x, y, 9)
  print *, l
  print *, bge(x, y), bgt(y, x), ble(x, x), blt(y, 3)
  print *, w
end program
