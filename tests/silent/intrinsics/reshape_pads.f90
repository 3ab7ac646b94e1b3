! RESHAPE with PAD takes fewer elements than its SHAPE has, and ORDER turns them.
program right
  integer :: a(2, 3), n
  n = 4
  a = reshape((/ (n, n = 1, 4) /), (/ 2, 3 /), pad=(/ 0 /), order=(/ 2, 1 /))
  print *, a, size(spread(a, 3, 0)), pack(a, a > 9)
end program
