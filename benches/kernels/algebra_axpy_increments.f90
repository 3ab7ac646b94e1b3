! The same with increments, as in BLAS
! check 5.847430302110308E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), y0(n)
  integer :: incx = 1, incy = 1
contains
  subroutine setup()
    call fill(x, n)
    call fill(y0, n)
  end subroutine

  subroutine run()
    y = y0
    call axpy(n, 0.3d0, x, incx, y, incy)
  end subroutine

  real(8) function check()
    check = total(y, n)
  end function

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
  end subroutine
end module
