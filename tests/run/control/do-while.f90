! DO WHILE: zero trips, a condition changed inside, labelled form, EXIT, CYCLE.
program do_while
  implicit none
  integer :: i, n
  i = 0
  do while (i > 0)
    i = i + 1
    print *, 'never'
  end do
  n = 0
  do while (i < 10)
    i = i + 1
    if (mod(i, 3) == 0) cycle
    if (i == 8) exit
    n = n + i
  end do
  print *, i, n
  do 10 while (n > 0)
    n = n - 5
10 continue
  print *, n
  i = 100
  named: do while (i /= 1)
    do while (.true.)
      i = i / 2
      if (i < 10) exit named
    end do
  end do named
  print *, i
end program
