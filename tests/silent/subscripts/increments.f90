! Elements that are a number of places apart which is known at run time, upwards and downwards, and no element at all.
program right
  real(8) :: x(60), y(60)
  integer :: i
  x = (/ (i, i = 1, 60) /)
  y = 0
  call axpy(60, x, 1, y, 1)
  call axpy(20, x, 3, y, -2)
  call axpy(0, x, 100, y, -100)
  call axpy(1, x, 1000, y, 2000)
  print '(5f8.1)', sum(y), y(1), y(39), y(60), x(60)
contains
    subroutine axpy(n, x, incx, y, incy)
      integer, intent(in) :: n, incx, incy
      real(8) :: x(*), y(*)
      integer :: i, ix, iy
      ix = 1
      iy = 1
      if (incx < 0) ix = (1 - n) * incx + 1
      if (incy < 0) iy = (1 - n) * incy + 1
      do i = 1, n
        y(iy) = y(iy) + 0.5d0 * x(ix)
        ix = ix + incx
        iy = iy + incy
      end do
    end subroutine
end program
