! Bounds and step are taken once, before the first iteration.
program do_bounds_changed
  implicit none
  integer :: i, first, last, step, k
  first = 2
  last = 9
  step = 2
  k = 0
  do i = first, last, step
    first = 100
    last = last + 10
    step = step + 1
    k = k + i
  end do
  print *, k, i, first, last, step
  last = 3
  do i = 1, last
    last = 0
    print *, i, last
  end do
end program
