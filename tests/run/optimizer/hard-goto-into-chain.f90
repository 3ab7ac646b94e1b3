! Irregular control flow that no structured loop describes.
program hard_goto_into_chain
  implicit none
  integer :: i, n, state, trace
  trace = 0
  do n = 1, 6
    i = n
    state = mod(n, 3)
    if (state == 0) go to 20
    if (state == 2) go to 30
10  i = i * 2
    trace = trace + 1
    if (i > 40) go to 40
20  i = i + 5
    trace = trace + 10
    if (mod(i, 4) == 0) go to 10
    if (i > 60) go to 40
30  i = i + 3
    trace = trace + 100
    if (mod(i, 2) == 0) go to 20
    if (i < 50) go to 10
40  print *, n, i, trace
  end do
end program
