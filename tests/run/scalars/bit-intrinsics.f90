! IAND IOR IEOR NOT BTEST IBSET IBCLR ISHFT ISHFTC IBITS MVBITS BIT_SIZE.
program bit_intrinsics
  implicit none
  integer :: i, j, k
  i = 202
  j = 172
  print *, iand(i, j), ior(i, j), ieor(i, j), not(i)
  print *, btest(i, 1), btest(i, 2), ibset(i, 2), ibclr(i, 1), ibset(0, 31)
  print *, ishft(i, 3), ishft(i, -3), ishft(-1, -28), ishft(1, 32), ishft(i, 0)
  print *, ishftc(i, 4, 8), ishftc(i, -2, 8), ishftc(1, -1), ibits(i, 2, 4)
  k = -1
  call mvbits(i, 1, 3, k, 4)
  print *, k, bit_size(i), bit_size(1_8), iand(255_8, 4294967295_8)
  print *, iand((/ 1, 2, 3 /), 1), popcnt(i), leadz(1), trailz(8)
end program
