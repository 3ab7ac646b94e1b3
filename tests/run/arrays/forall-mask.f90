! FORALL with a mask, whose own array is assigned.
program forall_mask
  implicit none
  integer :: a(8), m(4, 4), i, j
  a = (/ 3, 0, 5, 0, -2, 7, 0, 1 /)
  forall (i = 1:8, a(i) /= 0) a(i) = 60 / a(i)
  print *, a
  forall (i = 1:7, a(i) < a(i + 1)) a(i + 1) = a(i)
  print *, a
  m = 0
  forall (i = 1:4, j = 1:4, i > j .and. mod(i + j, 2) == 1) m(i, j) = i * j
  print *, m
  forall (i = 1:4, 2 >= len_trim('ab ')) m(i, i) = i
  forall (i = 1:4, 2 < len_trim('ab ')) m(i, 1) = -1
  print *, m
end program
