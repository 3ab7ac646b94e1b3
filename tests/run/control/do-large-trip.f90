! A trip count near the largest integer: left long before the end.
program do_large_trip
  implicit none
  integer :: i, n
  n = 0
  do i = -2147483647, 2147483646
    n = n + 1
    if (n == 1000) exit
  end do
  print *, i, n
  do i = 2147483647, -900000000, -1000000000
    print *, i
  end do
  print *, huge(i)
end program
