! Loops of vectors around calls, a jump by a table, more vectors than registers, sums of integers, and iterations that are left over.
program lanes_on_the_stack
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), c(n, 20), s
  integer :: i, j, k, m(n), total
  integer(8) :: long(n), sum8
  do i = 1, n
    a(i) = i * 0.5d0
    b(i) = n - i
    m(i) = i
    long(i) = 3_8 * i
  end do
  do j = 1, 20
    do i = 1, n
      c(i, j) = mod(i * j, 17) + 0.25d0
    end do
  end do
  do k = 1, 12
    select case (mod(k * 5, 13))
    case (0)
      do i = 1, n
        a(i) = a(i) + b(i) * 0.25d0
      end do
    case (1)
      a = a + 1
    case (2)
      b = b - 1
    case (3)
      a = a - b
    case (4)
      b = b * 0.5d0
    case (5)
      a = max(a, b)
    case (6)
      call many(c, a, n)
    case (7)
      b = min(a, b)
    case (8)
      call twice(a, n)
    case (9)
      m = m + int(a)
    case default
      long = long * 3 - m
    end select
    total = 0
    sum8 = 0
    do i = 1, n
      total = total + m(i)
    end do
    do i = 1, n
      sum8 = sum8 + long(i)
    end do
    s = 0
    do i = 1, n
      s = max(s, abs(a(i)))
    end do
    print '(i3, 2f12.3, i12, i16)', k, s, b(k), total, sum8
  end do
  do k = 990, n
    print '(i5, f12.3, i12)', k, left_over(a, min(k, n)), spread_out(m, min(k, n))
  end do
contains
  subroutine many(c, x, n)
    integer :: n, i
    real(8) :: c(n, 20), x(n)
    do i = 1, n
      x(i) = ((c(i, 1) * c(i, 2) + c(i, 3) * c(i, 4)) * (c(i, 5) * c(i, 6) + c(i, 7) * c(i, 8)) &
        + (c(i, 9) * c(i, 10) + c(i, 11) * c(i, 12)) * (c(i, 13) * c(i, 14) + c(i, 15) * c(i, 16))) &
        * (c(i, 17) + c(i, 18) * x(i) + c(i, 19) - c(i, 20) + c(i, 1) - c(i, 3) + c(i, 5) - c(i, 7)) * 1d-9
    end do
  end subroutine

  subroutine twice(x, n)
    integer :: n, i
    real(8) :: x(n)
    do i = 1, n
      x(i) = 2 * x(i) + 1
    end do
  end subroutine

  real(8) function left_over(x, n)
    integer :: n, i
    real(8) :: x(n), y(1000)
    y = 0
    do i = 1, n
      y(i) = x(i) * 0.5d0 - i
    end do
    left_over = maxval(y) + minval(y)
  end function

  integer function spread_out(x, n)
    integer :: n, i
    integer :: x(n), y(37)
    do i = 1, 37
      y(i) = i * 3 - x(n)
    end do
    spread_out = sum(y)
  end function
end program
