! Inner iterations before those that need elements of other ranks: stencils of several widths, both directions, and nests whose order matters.
module work
  implicit none
contains
  subroutine smooth(u, v, m, n, last)
    integer :: m, n, last, i, j
    real(8) :: u(m, n), v(m, n)
!HPF$ DISTRIBUTE *(*, BLOCK) :: u, v
    do j = last, 2, -1
      do i = 2, m - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
  end subroutine
end module

program inner_first
  use work
  implicit none
  integer, parameter :: n = 40, m = 11
  real(8) :: a(m, n), b(m, n), c(m, n), e(n), f(n), g(m, m, n), h(m, m, n), t
  integer :: k(n), i, j, l, step, last
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ ALIGN c(i, j) WITH a(i, j)
!HPF$ DISTRIBUTE e(BLOCK)
!HPF$ ALIGN f(i) WITH e(i)
!HPF$ ALIGN k(i) WITH e(i)
!HPF$ DISTRIBUTE g(*, *, BLOCK)
!HPF$ ALIGN h(i, j, k) WITH g(i, j, k)
  do j = 1, n
    do i = 1, m
      a(i, j) = mod(3 * i + 7 * j, 11)
      b(i, j) = mod(5 * i + j, 7) * 0.125d0
      c(i, j) = 0
    end do
    e(j) = mod(j * j, 17)
    f(j) = 0
    k(j) = mod(j, 3)
  end do
  do l = 1, n
    do j = 1, m
      do i = 1, m
        g(i, j, l) = mod(i + 2 * j + 3 * l, 13)
        h(i, j, l) = 0
      end do
    end do
  end do
  ! Both sides, the same nest again and again.
  do step = 1, 6
    do j = 2, n - 1
      do i = 2, m - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
    do j = 2, n - 1
      do i = 2, m - 1
        a(i, j) = b(i, j)
      end do
    end do
  end do
  call show('both', a)
  ! Two columns on one side, none on the other; a scalar of each iteration; conditionals; a variable that is read behind the nest.
  do step = 1, 3
    do j = 3, n
      do i = 1, m
        t = a(i, j - 2) * 0.5d0
        if (b(i, j) > 1) then
          c(i, j) = t - a(i, j - 1)
        else if (c(i, j) < 2) then
          c(i, j) = t
        end if
      end do
    end do
    e(step) = j
    do j = 1, n
      do i = 1, m
        a(i, j) = a(i, j) * 0.75d0 + c(i, j) * 0.125d0
        b(i, j) = a(i, j) + c(i, j)
      end do
    end do
  end do
  call show('two', c)
  ! Around the ends; neighbours by a mask; one dimension.
  do step = 1, 3
    f = e + 0.5d0 * cshift(e, 1) + cshift(e, -2)
    where (k == step - 1) f = f - 1
    e(2:n - 1) = f(1:n - 2) * 0.25d0 + f(3:n) * 0.25d0
    forall (i = 1:n, k(i) /= 1) e(i) = f(i)
  end do
  print '(a, 4(1x, f20.12))', 'around', e(1), e(2), e(n - 1), e(n)
  call show_one(e)
  ! The order of the iterations matters: old values of one side, and new ones elsewhere.
  do step = 1, 3
    do j = 2, n - 1
      do i = 1, m
        a(i, j) = a(i, j + 1) * 0.5d0 + b(i, j - 1)
      end do
    end do
    do j = 2, n - 1
      t = 0
      do i = 1, m
        t = t + a(i, j - 1)
      end do
      b(1, j) = t
    end do
  end do
  call show('order', a)
  call show('sums', b)
  ! Backwards, in a procedure, with bounds that shrink until nothing is left.
  last = n - 1
  do step = 1, 5
    call smooth(a, c, m, n, last)
    call smooth(c, a, m, n, last)
    last = last - 11
  end do
  call show('shrinking', a)
  ! Three dimensions, two nests of which the second needs what the first has not; both get their elements together.
  do step = 1, 3
    do l = 2, n - 1
      do j = 2, m - 1
        do i = 2, m - 1
          h(i, j, l) = g(i, j, l - 1) + g(i, j, l + 1) - 2 * g(i, j, l) + g(i + 1, j, l) * 0.25d0
        end do
      end do
    end do
    do j = 2, n
      do i = 1, m
        c(i, j) = a(i, j - 1) + c(i, j)
      end do
    end do
    do l = 1, n
      do j = 1, m
        do i = 1, m
          g(i, j, l) = g(i, j, l) + 0.125d0 * h(i, j, l)
        end do
      end do
    end do
    do j = 1, n
      do i = 1, m
        a(i, j) = c(i, j) * 0.5d0
      end do
    end do
  end do
  t = 0
  do l = 1, n
    do j = 1, m
      do i = 1, m
        t = t + g(i, j, l) * (i + j + l)
      end do
    end do
  end do
  print '(a, f24.10)', 'three', t
  call show('together', c)
contains
  subroutine show(name, x)
    character(*) :: name
    real(8) :: x(m, n), s
    integer :: i, j
    s = 0
    do j = 1, n
      do i = 1, m
        s = s * 0.875d0 + x(i, j) * (i + j)
      end do
    end do
    print '(a, 3(1x, f24.12))', name, s, x(2, 2), x(m - 1, n - 1)
  end subroutine
  subroutine show_one(x)
    real(8) :: x(n)
    print '(5f16.8)', x
  end subroutine
end program
