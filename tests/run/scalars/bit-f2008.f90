! The bit intrinsics of Fortran 2008.
program p
  implicit none
  integer :: i, j
  integer(8) :: k
  i = 12; j = 10
  print *, popcnt(i), poppar(i), leadz(i), trailz(i), popcnt(huge(1_8))
  print *, shiftl(i, 2), shiftr(-1, 28), shifta(-16, 2)
  print *, dshiftl(i, j, 4), dshiftr(i, j, 4)
  print *, maskl(3), maskr(3), maskl(4, 8), maskr(4, kind=8)
  print *, merge_bits(i, j, 5), bge(i, j), bgt(-1, 1), ble(i, -1), blt(1, 2)
  print *, iall([12, 10, 14]), iany([1, 2, 4]), iparity([1, 3, 7])
  k = 0
  call mvbits(255_8, 0, 4, k, 8)
  print *, k, ibits(k, 8, 2), ibset(k, 0), ibclr(k, 8), btest(k, 8)
  print *, ishftc(i, 1), ishftc(i, -1), ishftc(13, 2, 4), not(i), ieor(i, j)
  print *, iand(z'ff', i), int(b'1010'), int(o'17')
  print *, storage_size(i), storage_size(1d0), storage_size('abc'), bit_size(k)
end program
