! Loop nests whose communication goes before them, and whose iterations the ranks share.
program nests
  implicit none
  integer, parameter :: n = 23, m = 17
  real(8) :: a(n, m), b(n, m), c(n), d(0:n), e(m, n), t(2 * n), w(n, m)
  integer :: k(n), i, j, l, lo, hi, last
  real(8) :: x, y, biggest, least, outer
!HPF$ PROCESSORS p(4, 4)
!HPF$ DISTRIBUTE a(BLOCK, BLOCK) ONTO p
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ TEMPLATE line(3 * n)
!HPF$ ALIGN c(i) WITH line(i + 5)
!HPF$ ALIGN d(i) WITH line(2 * i + 1)
!HPF$ DISTRIBUTE line(BLOCK)
!HPF$ DISTRIBUTE e(*, BLOCK)
!HPF$ DISTRIBUTE t(CYCLIC)
!HPF$ DISTRIBUTE k(CYCLIC(3))
!HPF$ DISTRIBUTE w(CYCLIC, BLOCK)

  do j = 1, m
    do i = 1, n
      a(i, j) = i + 0.5d0 * j
      b(i, j) = 0
      w(i, j) = i * j
    end do
  end do
  do i = 1, n
    c(i) = i
    k(i) = n + 1 - i
    d(i) = 0
  end do
  d(0) = -1
  do j = 1, n
    do i = 1, m
      e(i, j) = i - j
    end do
  end do
  t = 1

  ! Neighbours in both dimensions.
  do l = 1, 3
    do j = 2, m - 1
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
    do j = 2, m - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
  end do
  print *, i, j, l, sum(a)

  ! Corners, scalars of one iteration, and statements with different owners.
!HPF$ INDEPENDENT, NEW(i, x, y)
  do j = 2, m - 1
    do i = 2, n - 1
      x = a(i + 1, j + 1) - a(i - 1, j - 1)
      y = a(i, j) * x
      b(i, j) = x + y
      w(i + 1, j) = y - a(i + 1, j)
      b(1, j) = 7
    end do
  end do
  print *, sum(b), sum(w), b(1, 5)

  ! Down, by steps, once, never.
  do i = n - 1, 2, -1
    c(i) = c(i) + d(i - 1)
  end do
  do i = 2, n, 3
    d(i) = c(i) + c(i - 1)
  end do
  do i = n, 1, -4
    d(i) = d(i) - c(n + 1 - i)
  end do
  do i = 5, 5
    c(i) = c(i + 1) + 100
  end do
  lo = 9
  hi = 3
  do i = lo, hi
    c(i) = c(i - 1)
  end do
  print *, i, sum(c), sum(d)

  ! Triangles.
  do j = 1, m
    do i = j, n
      b(i, j) = a(i, 1) + i
    end do
  end do
  do j = 1, m
    do i = j, 1, -1
      w(i, j) = a(j, i) + b(n, j)
    end do
  end do
  last = i
  do i = 1, m
    do j = m, i + 1, -1
      e(i, j) = a(i, j)
    end do
  end do
  print *, last, i, j, sum(b), sum(w), sum(e)

  ! Other mappings on the right side, and subscripts that are no sums.
  do i = 1, n
    c(i) = e(3, i) + t(2 * i) + k(i) + a(k(i), 1 + mod(i, m))
  end do
  do i = 1, 2 * n
    t(i) = t(i) + c(1 + i / 3)
  end do
  do i = 1, n
    k(i) = 2 * k(i) + i
  end do
  print *, sum(c), sum(t), sum(k)

  ! Replicated results.
  x = 0
  outer = -1
  do j = 1, m
    y = 0
    do i = 1, n
      x = x + a(i, j) * 1.25d0
      y = y + w(i, j)
    end do
    e(j, 2) = y
    outer = y
  end do
  print *, x, y, outer, e(4, 2)

  ! Reductions.
  biggest = -1
  least = 1d9
!HPF$ INDEPENDENT, NEW(i), REDUCTION(biggest, least)
  do j = 1, m
    do i = 1, n
      biggest = max(biggest, a(i, j) - b(i, j))
      least = min(w(i, j), least)
    end do
  end do
  print *, biggest, least
  d(0) = 0
  do i = 1, n
    x = max(x, abs(c(i)))
  end do
  print *, x, i

  ! Conditions that everybody can decide, and one on data.
  do j = 1, m
    do i = 1, n
      if (i > 3 .and. mod(j, 2) == 0) then
        b(i, j) = b(i, j) + a(i - 1, j)
      else
        b(i, j) = -b(i, j)
      end if
    end do
  end do
  l = 0
  do j = 1, m
    do i = 1, n
      if (b(i, j) > 3) then
        a(i, j) = 1
        l = l + 1
      end if
    end do
  end do
  print *, l, sum(a), sum(b)
end program
