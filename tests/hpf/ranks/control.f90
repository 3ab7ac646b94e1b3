! Elements decide: IF, DO WHILE, SELECT CASE, bounds of loops, GOTO, short circuits.
program control
  integer, parameter :: n = 10
  integer :: a(n), k, i, steps
  real :: x(n)
!HPF$ DISTRIBUTE a(CYCLIC)
!HPF$ DISTRIBUTE x(BLOCK)
  do i = 1, n
    a(i) = mod(7 * i, 11)
    x(i) = i - 5.5
  end do
  do i = 1, n
    if (a(i) > 5) then
      a(i) = a(i) - 5
    else if (x(i) < 0) then
      x(i) = -x(i)
    end if
  end do
  k = 1
  steps = 0
  do while (k >= 1 .and. k <= n .and. a(max(1, min(n, k))) > 0)
    a(k) = a(k) - 1
    k = k + 1
    steps = steps + 1
  end do
  k = 0
  do
    k = k + 1
    if (k > n) exit
    if (k <= n .and. a(k) == 0) cycle
    select case (a(k))
    case (1:2)
      x(k) = x(k) + 100
    case default
      x(k) = x(k) - 100
    end select
  end do
  do i = a(3), a(3) + a(5) + 2
    steps = steps + i
  end do
  i = 0
10 i = i + 1
  if (i <= n .or. a(min(i, n)) < -1) then
    if (x(min(i, n)) < 50) goto 10
  end if
  do k = 1, n + 1
    if (k > n .or. a(min(k, n)) == 4) exit
  end do
  print *, a, i, k, steps
  print '(10f8.1)', x
end program
