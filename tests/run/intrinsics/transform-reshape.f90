! RESHAPE: PAD, ORDER, to and from higher ranks, cut short.
program transform_reshape
  implicit none
  integer :: v(6), m(2, 3), t(2, 2, 2), i
  v = (/ (i, i = 1, 6) /)
  m = reshape(v, (/ 2, 3 /))
  print *, m(2, :)
  m = reshape(v, (/ 2, 3 /), order=(/ 2, 1 /))
  print *, m(2, :)
  t = reshape(v, (/ 2, 2, 2 /), pad=(/ 100, 200 /))
  print *, t
  t = reshape(v, (/ 2, 2, 2 /), (/ 0 /), (/ 3, 1, 2 /))
  print *, t
  v = reshape(transpose(m), (/ 6 /))
  print *, v
  print *, reshape(m, (/ 4 /)), shape(reshape(v, (/ 3, 1, 2 /)))
end program
