! told at 12:19: Substring out of bounds: upper bound (14) of 'line' exceeds string length (12)
program fault
  character(12) :: line
  integer :: i, k
  line = 'alpha betaxx'
  i = 1
  do
    k = index(line(i:), ' ')
    if (k == 0) exit
    i = i + k
  end do
  print *, line(i:i + 7)
end program
