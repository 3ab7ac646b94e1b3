! Results that go from rank to rank though the loop along the distributed dimension is an inner one: each iteration outside has elements of its own.
program carried_across
  integer, parameter :: n = 23, m = 5
  real(8) :: a(n, m), wide(m, n), s(m), w(n), t(0:m - 1), best(m), two(m, 3)
  real(8) :: cube(n, m, 3), plane(m, 3)
  real(4) :: narrow(n, m), least(m)
  real(8) :: x
  complex(8) :: z(n, m), zs(m)
  integer :: g(n, m), k(m), bits(m), i, j, l, step, none(m)
  logical :: q(n, m), r(m), never(m)
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ ALIGN (i, j) WITH a(i, j) :: narrow, z, g, q
!HPF$ ALIGN cube(i, j, *) WITH a(i, j)
!HPF$ DISTRIBUTE wide(*, BLOCK)
  do j = 1, m
    do i = 1, n
      a(i, j) = 1d0 / (i + 3 * j)
      narrow(i, j) = 1.0 / (2 * i + j)
      z(i, j) = cmplx(i, -j, 8) / 7
      g(i, j) = mod(5 * i * j, 11)
      q(i, j) = mod(i + j, 3) == 0
      wide(j, i) = a(i, j) * 2
    end do
  end do
  do l = 1, 3
    do j = 1, m
      do i = 1, n
        cube(i, j, l) = i - 2 * j + 3 * l
      end do
    end do
  end do
  w = 0
  two = 0
  do step = 1, 2
    ! In place of each kind, of columns and of rows.
    s = sum(a, dim=1)
    t = sum(a * 2 + 1, dim=1, mask=g > 3)
    least = minval(narrow, dim=1)
    zs = product(z, dim=1)
    k = count(g > 4, dim=1)
    r = any(q, dim=1)
    never = all(q, dim=1)
    best = maxval(a, dim=1)
    bits = iall(g + 8, dim=1)
    print '(5es24.16)', s, t, least, zs, best
    print '(10i5, 10l2)', k, bits, r, never
    k = maxval(g, dim=1, mask=g < 7) + minval(g, dim=1)
    r = parity(q, dim=1)
    bits = iparity(g, dim=1)
    none = iany(g, dim=1)
    print '(15i5, 5l2)', k, bits, none, r
    s = product(wide, dim=2)
    t = maxval(wide, dim=2)
    k = count(wide > 0.1d0, dim=2)
    r = all(wide > 0, dim=2)
    plane = sum(cube, dim=1)
    print '(5es24.16)', s, t, plane
    print '(5i5, 5l2)', k, r
    ! No elements at all; values that are no numbers.
    none = maxval(g(1:0, :), dim=1)
    best = minval(a(1:0, :), dim=1)
    print '(5i13, 5es24.16)', none, best
    a(3, 2) = sqrt(-a(3, 2))
    a(:, 4) = sqrt(-a(:, 4))
    best = maxval(a, dim=1)
    print '(5l2, 5es24.16)', best /= best, merge(best, 0d0, best == best)
    a(3, 2) = 0.25d0
    a(:, 4) = 0.5d0
    ! Written by hand: downwards, with a value from before, with a scalar of the iteration, of two arrays at once.
    do j = m, 1, -1
      do i = n, 1, -1
        s(j) = s(j) / 2 + a(i, j)
      end do
    end do
    do j = 2, m
      do i = 2, n - 1
        x = a(i, j) - narrow(i, j)
        if (x > 0.01) t(j - 1) = t(j - 1) - x
        two(m + 1 - j, 2) = max(two(m + 1 - j, 2), x) + s(2) * 1d-3
        k(j) = mod(3 * k(j) + g(i, j), 1001)
      end do
    end do
    do l = 1, 3
      do j = 1, m
        do i = 1, n
          plane(j, l) = plane(j, l) / 2 + cube(i, j, l) * step
        end do
      end do
    end do
    print '(5es24.16)', s, t, two(:, 2), plane
    print '(5i5)', k
    ! Not apart: one result for all columns, that of the neighbour, bounds that depend on the column, a store to the array.
    do j = 1, m
      do i = 1, n
        s(2) = s(2) / 2 + a(i, j)
      end do
    end do
    do j = 2, m
      do i = 1, n
        t(j - 1) = t(j - 2) / 2 + t(j - 1) / 4 + a(i, j)
      end do
    end do
    do j = 1, m
      do i = 2 * j, n
        best(j) = s(j) + a(i, j)
        s(j) = best(j) / 2
      end do
    end do
    do j = 1, m
      do i = 1, n
        s(j) = s(j) / 2 + a(i, j)
        a(i, j) = s(j) + a(i, m + 1 - j) / 4
      end do
    end do
    do j = 1, m
      do i = 1, n
        w(j) = w(j) / 2 + a(i, j)
      end do
      w(j + 1) = w(j)
    end do
    print '(5es24.16)', s, t, best, w
  end do
  print '(5es24.16)', a
end program
