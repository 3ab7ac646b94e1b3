! Loop nests whose ranks need values that other ranks compute in them, and nests that cannot be moved for other reasons.
module grids
  implicit none
  integer, parameter :: n = 14
  real(8) :: g(n, n), h(n, n)
!HPF$ DISTRIBUTE g(*, BLOCK)
!HPF$ ALIGN h(i, j) WITH g(i, j)
contains
  subroutine smooth(i, j)
    integer, intent(in) :: i, j
    g(i, j) = g(i, j) + 0.5d0 * h(i, j)
  end subroutine

  real(8) pure function twice(x)
    real(8), intent(in) :: x
    twice = 2 * x
  end function
end module

program refused
  use grids
  implicit none
  real(8) :: a(40), s, r(n), common_sum
  integer :: i, j, k, where(n), count
!HPF$ DISTRIBUTE a(BLOCK)

  do j = 1, n
    do i = 1, n
      g(i, j) = i + 10 * j
      h(i, j) = i - j
    end do
    where(j) = n + 1 - j
    r(j) = j
  end do
  do i = 1, 40
    a(i) = mod(7 * i, 11)
  end do

  ! Recurrences along the distributed dimension, forward and back.
  do i = 2, 40
    a(i) = a(i) + 0.5d0 * a(i - 1)
  end do
  do i = 39, 1, -1
    a(i) = a(i) - 0.25d0 * a(i + 1)
  end do
  print *, sum(a)

  ! Sweeps across columns and along them.
  do j = 2, n
    do i = 1, n
      g(i, j) = g(i, j) + 0.5d0 * g(i, j - 1)
    end do
  end do
  do j = n - 1, 1, -1
    do i = 2, n
      s = h(i - 1, j) * 0.5d0
      g(i, j) = g(i, j) - s * g(i, j + 1)
      h(i, j) = h(i, j) + s
    end do
  end do
  do i = 1, n
    do j = 2, n
      h(i, j) = h(i, j - 1) + g(i, j)
    end do
  end do
  print *, sum(g), sum(h)

  ! A value that a statement before computes for another rank.
  do j = 1, n
    h(1, j) = j
    g(1, j) = h(1, n + 1 - j) + h(1, j)
  end do
  do j = 1, n - 1
    g(2, j + 1) = j
    h(2, j) = g(2, j + 1)
  end do
  print *, sum(g), sum(h)

  ! Calls, ways out, jumps, owners that are known late.
  do j = 1, n
    do i = 1, n, 5
      call smooth(i, j)
    end do
    g(3, j) = twice(g(4, j))
  end do
  do j = 1, n
    if (h(3, j) > 30) exit
    h(3, j) = g(3, where(j))
  end do
  print *, j, sum(g), sum(h)
  count = 0
  do j = 1, n
    if (h(5, j) < 0) go to 10
    h(4, where(j)) = g(5, j) + j
    do k = 1, 2
      if (k == 2) cycle
      g(6, where(j)) = h(4, j)
    end do
10  count = count + 1
  end do
  print *, count, sum(g), sum(h)

  ! Factors of a matrix: each column needs those before it.
  do j = 1, n
    do i = 1, n
      g(i, j) = 1d0 / (i + j)
    end do
    g(j, j) = g(j, j) + 3
  end do
  do k = 1, n
    do i = k + 1, n
      g(i, k) = g(i, k) / g(k, k)
    end do
    do j = k + 1, n
      do i = k + 1, n
        g(i, j) = g(i, j) - g(i, k) * g(k, j)
      end do
    end do
  end do
  print *, sum(g)

  ! Scalars that go on from one iteration to the next, and are read afterwards.
  s = 1
  do j = 1, n
    s = s * 0.5d0 + g(1, j)
    h(1, j) = s
    r(j) = h(2, j)
  end do
  common_sum = 0
  do j = 1, n
    do i = 1, n
      s = g(i, j)
      h(i, j) = s * 2
    end do
    common_sum = common_sum + s
  end do
  print *, s, common_sum, sum(r), sum(h)
end program
