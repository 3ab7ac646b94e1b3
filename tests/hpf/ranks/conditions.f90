! Conditionals of the source on elements: the owner of an element evaluates them where all in their arms is its work, else every rank does. The
! counts of the arms are those of the serial program either way.
program conditions
  integer, parameter :: n = 24
  real(8) :: a(n, n), b(n, n), c(n, n), d(n, n), u(n, n), x(n), y(n), z(n), w(n), s, m
  integer :: i, j, k, p(n), few
  logical :: odd
!HPF$ PROCESSORS grid(NUMBER_OF_PROCESSORS(), 1)
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ ALIGN c(i, j) WITH a(j, i)
!HPF$ DISTRIBUTE d(BLOCK, CYCLIC(2))
!HPF$ DISTRIBUTE x(CYCLIC)
!HPF$ ALIGN y(i) WITH x(i)
!HPF$ ALIGN z(i) WITH a(*, i)
!HPF$ ALIGN w(i) WITH d(i, *)
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
      b(i, j) = 0
      c(i, j) = i - j
      d(i, j) = mod(3 * i + j, 7)
      u(i, j) = mod(i + 2 * j, 5)
    end do
    x(j) = mod(7 * j, 11)
    y(j) = 0
    z(j) = mod(5 * j, 8)
    w(j) = mod(j, 4)
    p(j) = mod(j, 3)
  end do
  do k = 1, 3
    ! Arms with the owner of the element, with neighbours.
    do j = 2, n - 1
      do i = 1, n
        if (a(i, j) > 3 .and. a(i, j + 1) < 7) then
          b(i, j) = a(i, j - 1) + a(i, j + 1)
        else if (a(i, j) > 1) then
          b(i, j) = b(i, j) + 1
          if (mod(i, 3) == 0) b(i, j) = -b(i, j)
        else
          if (a(i, j - 1) > 4) then
            b(i, j) = a(i, j)
          end if
        end if
      end do
    end do
    ! A condition by way of a scalar, and scalars of arms.
    do j = 1, n
      do i = 1, n
        s = a(i, j) - b(i, j)
        odd = mod(int(s), 2) /= 0
        if (odd) then
          m = a(i, j) + k
        else
          m = b(i, j)
        end if
        a(i, j) = mod(m, 13d0)
      end do
    end do
    ! Arms of different owners, and elements whose owner is another.
    do j = 2, n - 1
      do i = 2, n - 1
        if (a(i, j) > 5) then
          c(i, j) = a(i, j)
          b(i, j) = c(j, i)
        else if (b(i, j - 1) > 2) then
          b(i, j) = 1
        end if
      end do
    end do
    ! In turns: one dimension, CASE, nothing in an arm, a condition on the variable around.
    do j = 1, n
      if (j > 3) then
        select case (int(x(j)))
        case (0:2)
          y(j) = y(j) + 1
        case (5)
        case (7:)
          if (y(j) > 1) y(j) = 0
        case default
          y(j) = x(j)
        end select
      end if
    end do
    ! Two distributed dimensions.
    do j = 1, n
      do i = j, n
        if (d(i, j) > 2) then
          d(i, j) = d(i, j) - 1
        else
          d(i, j) = d(i, j) + 4
        end if
      end do
    end do
    ! Copies along a dimension of the grid; arrays that all ranks have; maxima.
    m = -1
    few = 0
    do j = 1, n
      if (w(j) > 1) w(j) = w(j) - 1
      if (z(j) > 3) m = max(m, abs(z(j)))
      if (p(j) > k - 1) z(j) = z(j) + p(j)
      if (z(j) > 8) few = few + 1
      if (z(j) > 2) continue
    end do
    do j = 1, n
      do i = n, 1, -1
        if (u(i, j) > 2) u(i, j) = u(i, j) - a(i, j)
        if (a(3, j) > 4) b(3, j) = b(3, j) + 1
        if (a(i, 5) > 4) a(i, 5) = a(i, 5) - 1
      end do
    end do
    ! A loop in an arm.
    do j = 1, n
      if (z(j) > 4) then
        do i = 1, n, 5
          b(i, j) = b(i, j) + z(j)
        end do
      end if
    end do
    print '(2f10.3, i4)', m, x(3), few
  end do
  print '(6f12.3)', a, b
  print '(6f12.3)', c, d
  print '(6f12.3)', u, x, y, z, w
  call inlined(b, n)
  call inlined(a, n - 1)
  if (sum(b) > 3) stop 4
contains
  subroutine inlined(t, n)
    integer, intent(in) :: n
    real(8) :: t(24, n)
!HPF$ DISTRIBUTE t(*, BLOCK)
    integer :: i
    do i = 1, n
      if (t(2, i) > 1) t(2, i) = t(2, i) - 1
    end do
    print '(6f12.3)', t(2, :)
  end subroutine
end program
