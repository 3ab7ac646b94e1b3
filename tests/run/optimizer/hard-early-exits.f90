! Loops that may be left early count all their iterations when they are entered, and take back the rest at each exit.
program hard_early_exits
  integer, parameter :: n = 50
  double precision :: a(n), keys(n), f
  integer :: find, i, j, order(n), k, s
  do i = 1, n
    a(i) = mod(i*37, 51)
  end do
  s = 0
  do i = 1, n
    s = s + find(a, i, 40d0)
    s = s + back(a, i, 3d0) + two(a, i)
  end do
  print *, s
  keys = a
  order = [(i, i=1,n)]
  do i = 2, n
    f = keys(i)
    k = order(i)
    j = i - 1
    do while (j >= 1)
      if (keys(j) <= f) exit
      keys(j + 1) = keys(j)
      order(j + 1) = order(j)
      j = j - 1
    end do
    keys(j + 1) = f
    order(j + 1) = k
  end do
  print *, order(1), order(n)
contains
  integer function back(a, n, x)
    integer :: n, i
    double precision :: a(n), x
    back = 0
    i = n
    do while (i > 0)
      i = i - 2
      if (i <= 0) exit
      if (a(i) < x) return
    end do
    back = i
  end function
  integer function two(a, n)
    integer :: n, i
    double precision :: a(n)
    two = 0
    do i = n, 1, -3
      if (a(i) < 2) return
      two = two + 1
      if (a(i) == 17) exit
    end do
  end function
end program
integer function find(a, n, x)
  integer :: n, i
  double precision :: a(n), x
  do i = 1, n
    if (a(i) > x) exit
  end do
  find = i
end function
