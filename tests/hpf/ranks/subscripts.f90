! Subscripts that are elements of mapped arrays, and conditions that guard them.
program subscripts
  integer, parameter :: n = 8
  integer :: next(n), value(n), count(0:3), i, k
  logical :: ok
!HPF$ DISTRIBUTE (CYCLIC) :: next
!HPF$ DISTRIBUTE (BLOCK) :: value, count
  do i = 1, n
    next(i) = mod(i * 3, n) + 1
    value(i) = i * 11
  end do
  count = 0
  do i = 1, n
    value(next(i)) = value(next(next(i))) + next(i)
    count(mod(value(i), 4)) = count(mod(value(i), 4)) + 1
  end do
  next(n) = 0
  k = 1
  do i = 1, 20
    if (k == 0) exit
    ok = k > 0 .and. value(k) > 0
    if (k > 0 .and. value(max(k, 1)) > 20) value(k) = value(k) - i
    k = next(k)
    ok = ok .and. (k == 0 .or. mod(100, max(k, 1)) >= 0)
  end do
  print *, next, value, count, i, k, ok
end program
