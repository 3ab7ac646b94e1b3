! A DO whose start is beyond its end runs zero times, and its variable is set.
program do_zero_trip
  implicit none
  integer :: i, n, k
  k = 0
  n = 0
  do i = 1, n
    k = k + 1
  end do
  print *, 'i', i, 'k', k
  do i = 5, 1
    k = k + 1
  end do
  print *, 'i', i, 'k', k
  do i = 1, 5, -1
    k = k + 1
  end do
  print *, 'i', i, 'k', k
  do i = 10, 10, -3
    k = k + 1
  end do
  print *, 'i', i, 'k', k
end program
