! told at 15:19, where i = 1: Index '0' of dimension 1 of array 'x' below lower bound of 1
program fault
  real(8) :: x(30), y(30)
  x = 1
  y = 2
  call axpy(30, x, 0, y, 1)
  print *, y
contains
    subroutine axpy(n, x, ix, y, incy)
      integer, intent(in) :: n, ix, incy
      real(8) :: x(*), y(*)
      integer :: i, iy
      iy = 1
      do i = 1, n
        y(iy) = x(ix + (i - 1) * incy) + y(iy)
        iy = iy + incy
      end do
    end subroutine
end program
