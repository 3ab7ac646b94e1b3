! Data-dependent loops: Euclid, Collatz, binary search, with breaks inside.
program hard_while_counts
  implicit none
  integer :: a, b, t, i, n, steps, low, high, middle, v(32)
  steps = 0
  do i = 1, 20
    a = 1000 + i * 37
    b = i * 13
    do while (b /= 0)
      t = mod(a, b)
      a = b
      b = t
      steps = steps + 1
    end do
    if (a > 1) steps = steps + 1000 * a
  end do
  print *, steps
  do i = 1, 32
    v(i) = i * i
  end do
  steps = 0
  do n = 0, 1100, 100
    low = 1
    high = 32
    do
      if (low > high) exit
      middle = (low + high) / 2
      steps = steps + 1
      if (v(middle) - n) 10, 20, 30
10    low = middle + 1
      cycle
30    high = middle - 1
    end do
    middle = -low
20  print *, n, middle
  end do
  print *, steps
end program
