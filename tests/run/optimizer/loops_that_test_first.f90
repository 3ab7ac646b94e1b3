! Loops of GOTO and DO WHILE whose test stands at the beginning, with several ways back to it
program loops_that_test_first
  implicit none
  integer, parameter :: n = 200
  real(8) :: a(n)
  integer :: i, k, m, steps, limit
  do i = 1, n
    a(i) = mod(i * 7919, 1009) / 1009d0
  end do
  call heap(a, n)
  print *, count(a(2:) < a(:n - 1)), a(1) < a(n)
  do k = 1, 5
    print *, collatz(k * 7 - 6), find(a, n, a(k * 37) + 1d-9), find(a, n, 2d0)
  end do
  ! The variable ends the loop by what it becomes, on one of the ways that meet before the jump.
  do limit = 0, 4
    i = 0
    m = 2 * limit
    steps = 0
 10 if (i <= limit) then
      steps = steps + 1
      if (mod(steps, 3) == 0) then
        m = m + i
        if (m > 4) goto 20
        i = i + 2
        goto 30
      else if (m > 2) then
        m = m - 1
        goto 30
      end if
 20   continue
      i = limit + 1
 30   continue
      if (steps > 50) i = limit + 1
      goto 10
    end if
    print *, limit, i, m, steps
  end do
  i = 10
  do while (i > 0)
    if (mod(i, 4) == 2) then
      i = i - 3
      cycle
    end if
    i = i - 1
    if (i == 3) exit
  end do
  print *, i
  ! The greatest number is a limit, too.
  limit = huge(limit)
  i = limit - 2
  k = 0
 40 if (i < limit) then
    k = k + 1
    i = i + 1
    goto 40
  end if
  print *, i == limit, k
contains
  integer function collatz(first)
    integer, intent(in) :: first
    integer :: v
    v = first
    collatz = 0
 10 if (v /= 1) then
      collatz = collatz + 1
      if (mod(v, 2) == 0) then
        v = v / 2
      else
        v = 3 * v + 1
      end if
      goto 10
    end if
  end function

  integer function find(a, n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), x
    find = 1
    do while (find <= n)
      if (a(find) >= x) return
      find = find + 1
    end do
    find = -find
  end function

  subroutine heap(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8) :: t
    integer :: i, j, l, ir
    l = n / 2 + 1
    ir = n
  10 continue
    if (l > 1) then
      l = l - 1
      t = a(l)
    else
      t = a(ir)
      a(ir) = a(1)
      ir = ir - 1
      if (ir == 1) then
        a(1) = t
        return
      end if
    end if
    i = l
    j = l + l
  20 if (j <= ir) then
      if (j < ir) then
        if (a(j) < a(j + 1)) j = j + 1
      end if
      if (t < a(j)) then
        a(i) = a(j)
        i = j
        j = j + j
      else
        j = ir + 1
      end if
      goto 20
    end if
    a(i) = t
    goto 10
  end subroutine
end program loops_that_test_first
