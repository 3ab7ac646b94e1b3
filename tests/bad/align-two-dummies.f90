program p
  real :: a(8, 8), b(8)
!HPF$ ALIGN a(i, j) WITH b(i + j)
  a = 1
  b = 2
end program
