! told at 7:22: Incorrect extent in SHIFT argument of CSHIFT intrinsic in dimension 1: is 3, should be 4
program fault
  integer :: a(2, 4), s(5), n
  a = reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 4])
  s = 1
  n = 3
  print *, cshift(a, s(:n), 1)
end program
