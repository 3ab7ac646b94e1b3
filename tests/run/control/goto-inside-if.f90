! Jumps within a branch, out of it, and back to before the IF.
program goto_inside_if
  implicit none
  integer :: n, trace
  n = 0
  trace = 0
10 n = n + 1
  if (mod(n, 3) == 0) then
    trace = trace * 10 + 1
    if (n > 6) go to 20
    trace = trace * 10 + 2
20  trace = mod(trace * 10 + 3, 1000000)
    if (n < 9) go to 10
  else if (n < 5) then
    trace = trace + 1
    go to 10
  else
    if (n == 8) go to 30
    go to 10
30  trace = trace + 4
    go to 10
  end if
  print *, n, trace
end program
