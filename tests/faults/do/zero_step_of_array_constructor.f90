! told at 5:27: DO step value is zero
program fault
  integer :: i, n
  n = 0
  print *, [(i, i = 1, 3, n)]
end program
