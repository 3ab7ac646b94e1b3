! Results of nests go from rank to rank, in the order of the iterations: sums over a distributed dimension, and everything like them.
program carried
  integer, parameter :: n = 23
  real(8) :: a(n, n), c(n, n), s(n), t(0:n - 1), x(n), y(n), total, best
  real(4) :: small(n, 5), part(5)
  complex(8) :: z(n), zs
  integer :: g(n), i, j, k, place(2), few, seen(4), m
  logical :: any_odd
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN c(i, j) WITH a(i, j)
!HPF$ ALIGN x(i) WITH a(*, i)
!HPF$ DISTRIBUTE y(CYCLIC)
!HPF$ DISTRIBUTE small(BLOCK, *)
!HPF$ DISTRIBUTE z(BLOCK)
!HPF$ DISTRIBUTE g(BLOCK)
  do j = 1, n
    do i = 1, n
      a(i, j) = 1d0 / (i + 3 * j)
      c(i, j) = mod(i * j, 7)
    end do
    x(j) = 1d0 / j
    y(j) = 1d0 / (j + 1)
    z(j) = cmplx(j, -j, 8) / 3
    g(j) = mod(5 * j, 9)
  end do
  do j = 1, 5
    do i = 1, n
      small(i, j) = 1.0 / (i * j)
    end do
  end do
  do k = 1, 3
    s = sum(a, dim=2)
    t = sum(a * c, dim=2, mask=c > 2)
    part = sum(small, dim=1)
    print '(6es24.16)', s, t, part
    total = sum(a)
    total = total + sum(x)
    zs = sum(z)
    print '(3es24.16)', total, zs
    ! Downwards, with a start, and several results.
    total = k
    few = 0
    best = -1
    place = 0
    do j = n, 1, -1
      do i = 1, n
        total = total / 2 + a(i, j)
        if (c(i, j) > best) then
          best = c(i, j)
          place = 0
          place(1) = i
          place(2) = j
        else if (c(i, j) == best) then
          few = few + 1
        end if
      end do
    end do
    print '(2es24.16, 3i5)', total, best, place, few
    ! Sums so far, in mapped elements; a part of the array.
    total = 0
    do j = 3, n - 2
      total = total + x(j)
      x(j) = total
    end do
    seen = 0
    do j = 1, n
      m = mod(g(j), 4) + 1
      seen(m) = seen(m) + 1
      if (seen(m) > 2) g(j) = g(j) + seen(m)
    end do
    print '(es24.16, 8i5)', total, seen, g(1:4)
    ! No iterations, and one.
    total = 7
    do j = n, 1
      total = total + x(j)
    end do
    do j = 5, 5
      total = total - x(j)
    end do
    ! In turns: all elements go to all ranks.
    do j = 1, n
      total = total + y(j)
    end do
    any_odd = .false.
    do j = 1, n
      any_odd = any_odd .or. mod(g(j), 2) == 1
    end do
    print '(es24.16, l2)', total, any_odd
    ! Nothing has changed.
    print '(2es24.16)', sum(c), sum(c)
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + s(i) * 1d-3
        c(i, j) = mod(c(i, j) + 1, 5d0)
      end do
    end do
  end do
  print '(6es24.16)', x, a(:, 3), a(4, :)
end program
