! Arrays of rank seven.
program array_rank_seven
  implicit none
  integer :: a(2, 2, 2, 2, 2, 2, 2), v(128), i
  equivalence (a, v)
  do i = 1, 128
    v(i) = i
  end do
  print *, a(1, 2, 1, 2, 1, 2, 1), a(2, 2, 2, 2, 2, 2, 2), a(:, 1, 2, 1, 1, 1, 2)
  a(2, :, 1, :, 1, 1, 1) = -a(1, :, 2, :, 2, 1, 1)
  print *, v(1:16), sum(a), shape(a)
  print *, sum(a(:, :, 1, 1, 1, 1, 1), 2), maxloc(a)
end program
