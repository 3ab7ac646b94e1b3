program right
  real :: a(4), b(4)
  logical :: known(4)
  a(1) = 1
  a(3) = 3
  known = [.true., .false., .true., .false.]
  print *, sum(a, mask=known), maxval(a, known), pack(a, known), count(known)
  print *, merge(a, 0., known)
  b = 0
  where (known) b = a
  print *, b, size(a), lbound(a), kind(a(2))
end program
