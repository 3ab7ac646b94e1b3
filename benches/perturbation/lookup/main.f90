program search1
  implicit none
  integer, parameter :: n = 3000
  integer :: t(n), i, j, k, hits
  integer(8) :: s
  k = 7
  do i = 1, n
    k = mod(k*75 + 74, 65537)
    t(i) = mod(k, 1000)
  end do
  hits = 0
  s = 0
  do j = 1, 500000
    k = mod(k*75 + 74, 65537)
    do i = 1, n
      if (t(i) == mod(k, 1100)) exit
    end do
    if (i <= n) hits = hits + 1
    s = s + i
  end do
  print *, hits, s
end program
