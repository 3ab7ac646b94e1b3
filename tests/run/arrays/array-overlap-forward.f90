! a(2:n) = a(1:n-1): the right side is read in full before anything is stored.
program array_overlap_forward
  implicit none
  integer :: a(8), i, n
  n = 8
  a = (/ (i, i = 1, 8) /)
  a(2:n) = a(1:n - 1)
  print *, a
  a = (/ (i, i = 1, 8) /)
  a(1:n - 1) = a(2:n)
  print *, a
  a = (/ (i, i = 1, 8) /)
  a(3:n) = a(3:n) + a(1:n - 2) * 10
  print *, a
  a = (/ (i, i = 1, 8) /)
  a(1:8:2) = a(2:8:2) + a(1:7:2)
  print *, a
  a(2:7) = a(1:6) + a(2:7) + a(3:8)
  print *, a
end program
