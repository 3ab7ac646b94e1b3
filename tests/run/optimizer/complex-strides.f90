! Complex numbers at strides, each loaded at once: constant strides, strides known at run time, kinds of both sizes, and one number apart.
program complex_strides
  implicit none
  integer, parameter :: n = 37
  complex(8) :: w(5 * n), x(n), y(n)
  complex(4) :: v(5 * n), z(n)
  integer :: i
  do i = 1, 5 * n
    w(i) = cmplx(i, -2 * i, 8)
    v(i) = cmplx(3 * i, i)
  end do
  x = (0.5d0, 1d0)
  call products(n, 3, x, y)
  print *, nint(sum(real(y, 8))), nint(sum(aimag(y)))
  call products(n, 1, x, y)
  print *, nint(sum(real(y, 8))), nint(sum(aimag(y)))
  call products(n, -1, x, y)
  print *, nint(sum(real(y, 8))), nint(sum(aimag(y)))
  do i = 1, n
    y(i) = w(4 * i - 1) * x(i) + w(2 * i)
    z(i) = v(3 * i) - v(2 * i + 1)
  end do
  print *, nint(sum(real(y, 8))), nint(sum(aimag(y))), nint(sum(real(z))), nint(sum(aimag(z)))
contains
  subroutine products(n, step, x, y)
    integer, intent(in) :: n, step
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = w(40 + i * step) * x(i)
    end do
  end subroutine
end program
