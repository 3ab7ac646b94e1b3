! The largest and smallest integers, without overflow.
program num_integer_edges
  implicit none
  integer :: big, small
  integer(kind=8) :: lbig
  big = huge(big)
  small = -huge(small) - 1
  print *, big, small, big + small, small / 2, mod(small, 10), abs(small + 1)
  lbig = big
  lbig = lbig * big
  print *, lbig, lbig / big, mod(lbig, 1000_8), huge(lbig) - lbig
  print *, big / 2 + big / 2 + 1, -(big / 3), big - 1 - big, small + big + 1
end program
