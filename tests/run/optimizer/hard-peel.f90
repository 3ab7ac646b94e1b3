! First and last iterations that differ; loops of one and of no iterations.
program hard_peel
  implicit none
  integer :: a(0:9), i, n, previous
  do n = 0, 9, 3
    previous = -1
    a = 0
    do i = 1, n
      if (i == 1) then
        a(i) = 100
      else if (i == n) then
        a(i) = 200 + previous
      else
        a(i) = a(i - 1) + 1
      end if
      previous = i
    end do
    print *, n, previous, a
  end do
  do i = 9, 0, -1
    if (i /= 9) a(i) = a(i) + a(i + 1)
  end do
  print *, a
end program
