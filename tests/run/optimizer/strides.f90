! Loops over elements that are a variable number apart: increments of scalars, a step, factors of the DO variable, in both directions.
module vectors
  implicit none
contains
  subroutine axpy(n, a, x, incx, y, incy)
    integer :: n, i, incx, incy, ix, iy
    real(8) :: a, x(*), y(*)
    ix = 1
    iy = 1
    if (incx < 0) ix = (1 - n) * incx + 1
    if (incy < 0) iy = (1 - n) * incy + 1
    do i = 1, n
      y(iy) = y(iy) + a * x(ix)
      ix = ix + incx
      iy = iy + incy
    end do
    print '(3i5)', ix, iy, i
  end subroutine

  subroutine steps(y, n, inc)
    integer :: n, i, inc
    real(8) :: y(n)
    do i = 1, n, inc
      if (y(i) > 4) then
        y(i) = y(i) * 0.5d0
      else
        y(i) = y(i) + 1
      end if
    end do
    print '(i5)', i
  end subroutine

  subroutine factors(y, x, n, k, m)
    integer :: n, i, k, m
    real(8) :: y(*), x(*)
    do i = 1, n
      y(1 + (i - 1) * k) = x(1 + m * (i - 1)) + i
    end do
  end subroutine

  ! The increment changes after some iterations; the same element each time.
  integer function gather(x, n, inc)
    integer :: n, i, j, inc, by
    integer :: x(n)
    by = inc
    gather = 0
    j = 1
    do i = 1, n
      gather = gather * 3 + x(j)
      if (i == n / 2) by = 0
      j = j + by
    end do
  end function
end module

program strides
  use vectors
  implicit none
  real(8) :: x(60), y(60)
  integer :: k(12), i, incx, incy
  do i = 1, 60
    x(i) = i * 0.25d0
  end do
  k = [(mod(7 * i, 5), i = 1, 12)]
  y = 1
  do incx = -2, 2
    do incy = -2, 2
      if (incy == 0) cycle
      call axpy(13, 0.5d0, x, incx, y, incy)
    end do
  end do
  print '(6f10.3)', y
  call steps(y, 60, 1)
  call steps(y, 60, 3)
  call steps(y, 0, 1)
  print '(6f10.3)', y
  do i = 1, 3
    call factors(y, x, 12, i, 4 - i)
    call factors(y, x, 12, 1, i)
  end do
  print '(6f10.3)', y
  print '(3i12)', gather(k, 12, 1), gather(k, 12, 0), gather(k, 6, 2)
end program
