! What loops leave behind: scalars and indices used after them.
program hard_array_exit_values
  implicit none
  integer :: v(10), i, j, k, s, last, n
  do i = 1, 10
    v(i) = mod(i * 37, 10)
  end do
  do i = 1, 10
    if (v(i) == 3) exit
  end do
  print *, i
  do i = 1, 10
    k = v(i) * 2
    s = k + i
  end do
  print *, i, k, s
  last = -1
  do i = 1, 10
    if (v(i) > 5) last = i
  end do
  print *, last
  do n = 0, 2
    k = -5
    do j = 1, n
      k = j
    end do
    print *, j, k
  end do
  s = 0
  do i = 1, 3
    do j = 1, i
      s = s + 1
    end do
    s = s * 10 + j
  end do
  print *, i, j, s
end program
