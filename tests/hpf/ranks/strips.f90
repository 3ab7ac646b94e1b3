! Sweeps in strips: the loop that is parted inside, outside, and as several loops; and those that cannot be parted.
program strips
  implicit none
  integer, parameter :: n = 40, m = 29
  real(8) :: a(m, n), b(m, n), c(m, n), d(n, m), x(m), y(n)
!HPF$ PROCESSORS line(4)
!HPF$ DISTRIBUTE a(*, BLOCK) ONTO line
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ ALIGN c(i, j) WITH a(i, j)
!HPF$ DISTRIBUTE d(BLOCK, *) ONTO line
  integer :: i, j, k, first, last
  do j = 1, n
    do i = 1, m
      a(i, j) = mod(3 * i + 7 * j, 11)
      b(i, j) = mod(5 * i + j, 7) * 0.125d0
      c(i, j) = 0
      d(j, i) = mod(i * j, 13)
    end do
  end do
  ! The parted loop is the inner one.
  do j = 2, n
    do i = 1, m
      a(i, j) = a(i, j) + b(i, j) * a(i, j - 1)
    end do
  end do
  call show('inner', a)
  ! Backwards, with a step, and bounds that are known late.
  first = 3
  last = m - 2
  do k = 1, 2
    do j = n - 1, 1, -1
      do i = last, first, -2
        a(i, j) = a(i, j) * 0.5d0 + b(i, j) * a(i, j + 1)
      end do
    end do
    last = last - 3
  end do
  call show('back', a)
  ! Several statements, a scalar of each iteration, and a conditional.
  do j = 2, n
    do i = 2, m - 1
      x(i) = 0
      if (b(i, j) > 0.25d0) a(i, j) = a(i, j) - b(i, j) * a(i, j - 1) * 0.25d0
      c(i, j) = a(i, j) + c(i, j - 1) * 0.5d0
    end do
  end do
  call show('two', c)
  do j = 2, n
    do i = 2, m - 1
      if (b(i, j) > 0.25d0) a(i, j) = a(i, j) - b(i, j) * a(i, j - 1) * 0.25d0
      c(i, j) = a(i, j) + c(i, j - 1) * 0.5d0
    end do
  end do
  call show('if', c)
  ! Several loops.
  do j = 2, n
    do i = 1, m
      a(i, j) = a(i, j) * 0.5d0 + a(i, j - 1) * b(i, j)
    end do
    do i = 1, m
      c(i, j) = c(i, j) + a(i, j) - 0.5d0 * c(i, j - 1)
    end do
  end do
  call show('loops', c)
  ! Array syntax.
  do j = 2, n
    a(:, j) = a(:, j) - 0.25d0 * a(:, j - 1)
    c(:, j) = c(:, j) + a(:, j) * 0.5d0
  end do
  call show('syntax', c)
  ! The parted loop is the outer one; then those between which iterations go.
  do i = 1, m
    do j = 2, n
      d(j, i) = d(j, i) + d(j - 1, i) * 0.5d0
    end do
  end do
  do i = 2, m
    do j = 2, n
      d(j, i) = d(j, i) * 0.5d0 + d(j - 1, i) * 0.25d0 - d(j, i - 1) * 0.125d0
    end do
  end do
  print '(a, 3es14.6)', 'outer', d(n, m), d(1, 1), sum(d)
  ! Neighbours in the other dimension: the values of this sweep and of the one before.
  do j = 2, n
    do i = 2, m
      a(i, j) = a(i, j) + 0.25d0 * a(i - 1, j) - 0.125d0 * a(i, j - 1)
    end do
  end do
  do j = 2, n
    do i = 1, m - 1
      a(i, j) = a(i, j) - 0.25d0 * a(i + 1, j) + 0.125d0 * a(i, j - 1)
    end do
  end do
  do j = 2, n
    do i = 1, m - 1
      a(i, j) = a(i, j) * 0.5d0 + 0.125d0 * a(i + 1, j - 1)
    end do
  end do
  do j = n - 1, 1, -1
    do i = 2, m - 1
      a(i, j) = a(i, j) * 0.5d0 + 0.125d0 * a(i - 1, j + 1) + 0.0625d0 * a(i - 1, j) + 0.03125d0 * b(i + 1, j)
    end do
  end do
  call show('near', a)
  ! Old values of the rank behind, which come once for all strips.
  do k = 1, 3
    do j = 2, n - 1
      do i = 2, m - 1
        a(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end do
  call show('relax', a)
  ! Variables of the loops behind the nest, and loops without iterations.
  do j = 2, n
    do i = 1, m
      a(i, j) = a(i, j) + b(i, j) * a(i, j - 1)
    end do
  end do
  print *, i, j
  do k = 0, 2
    do j = 2, n
      do i = 1, k * 3
        a(i, j) = a(i, j) + b(i, j) * a(i, j - 1)
      end do
    end do
    print *, i, j
  end do
  call show('behind', a)
  ! A triangle.
  do j = 2, n
    do i = 1, min(m, j)
      a(i, j) = a(i, j) * 0.5d0 + b(i, j) * a(i, j - 1)
    end do
  end do
  call show('triangle', a)
contains
  subroutine show(text, v)
    character(*), intent(in) :: text
    real(8), intent(in) :: v(m, n)
    print '(a, 4es16.8)', text, v(1, 1), v(m, n), v(m / 2, n / 2), sum(v)
  end subroutine
end program
