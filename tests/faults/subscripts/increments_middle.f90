! told at 17:11, where i = 11: Index '31' of dimension 1 of array 'y' above upper bound of 30
program fault
  real(8) :: x(30), y(30)
  x = 1
  y = 2
  call axpy(30, x, 1, y, 3)
  print *, y
contains
    subroutine axpy(n, x, incx, y, incy)
      integer, intent(in) :: n, incx, incy
      real(8) :: x(*), y(*)
      integer :: i, ix, iy
      ix = 1
      iy = 1
      if (incx < 0) ix = (1 - n) * incx + 1
      do i = 1, n
        y(iy) = 0.5d0 * x(ix)
        ix = ix + incx
        iy = iy + incy
      end do
    end subroutine
end program
