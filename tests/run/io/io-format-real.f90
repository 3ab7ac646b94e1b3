! F E D G ES EN with and without exponent widths and scale factors.
program io_format_real
  implicit none
  double precision :: x
  integer :: i
  x = 3.14159265358979d0
  write (*, '(f8.3, f6.0, f0.2, f5.4, f4.2)') x, x, x, x, -x
  write (*, '(e12.4, e12.4e3, d12.4, e10.1)') x, x * 1d10, x * 1d-5, -x
  write (*, '(es12.4, en14.3, es10.2e2, en12.1)') x * 1000, x * 10000, x * 1d-3, x * 100
  write (*, '(g12.4, g12.4, g12.4, g12.4e3)') x, x * 1d5, x * 1d-3, x
  write (*, '(1p, e12.4, f10.3, 0p, f10.3, 2p, e12.4)') x, x, x, x
  write (*, '(f5.2, f5.1, f6.2)') 1000.0d0, 99.95d0, -0.001d0
  do i = -2, 3
    write (*, '(f10.4, e12.3, g14.5)') 10.0d0 ** i, 5.0d0 ** i, 2.5d0 * 10.0d0 ** i
  end do
  write (*, '(f4.1, f4.1, f4.1, f4.1, f6.3)') 0.25d0, 0.35d0, 0.45d0, 2.5d0, 0.0625d0
  write (*, '(f3.0, f3.0, f3.0, f4.0)') 0.5d0, 1.5d0, 2.5d0, -0.4d0
end program
