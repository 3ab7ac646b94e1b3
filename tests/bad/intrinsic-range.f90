! Constant bit positions, shifts and character codes out of range.
program intrinsic_range
  implicit none
  integer :: i = 5, n = 3
  integer(1) :: small = 1
  integer(8) :: wide = 1
  character :: c
  print *, btest(i, 31), ibset(wide, 63), ibits(i, 30, 2), ishft(i, -32), ishftc(i, 4, 4), shiftl(i, 32)
  print *, btest(i, -1)
  print *, ibset(i, 32)
  print *, ibclr(small, 8)
  print *, ibits(i, 31, 2)
  print *, ibits(i, n, -1)
  print *, ishft(i, 33)
  print *, ishft(small, -9)
  print *, ishftc(i, 5, 4)
  print *, ishftc(i, 1, 33)
  print *, shiftl(i, -1)
  print *, shiftr(wide, 65)
  call mvbits(i, 0, 2, n, 31)
  call mvbits(i, -1, 2, n, 3)
  c = char(256)
  c = achar(-1)
  print *, nearest(1.0, 0.0)
end program
