! Maxima with their places, running sums with conditions, early results.
program hard_max_reduction
  implicit none
  integer :: i, best, place, v(15), second, s, run, longest
  do i = 1, 15
    v(i) = mod(i * 7919, 23) - 11
  end do
  best = v(1)
  place = 1
  second = -1000
  do i = 2, 15
    if (v(i) > best) then
      second = best
      best = v(i)
      place = i
    else if (v(i) > second) then
      second = v(i)
    end if
  end do
  print *, best, place, second, maxval(v), maxloc(v)
  s = 0
  run = 0
  longest = 0
  do i = 1, 15
    s = max(0, s + v(i))
    longest = max(longest, s)
    if (v(i) > 0) then
      run = run + 1
    else
      run = 0
    end if
  end do
  print *, s, longest, run
end program
