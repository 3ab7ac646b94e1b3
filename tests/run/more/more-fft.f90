! complex FFT, recursion with automatic arrays
program p
  implicit none
  integer, parameter :: n = 8
  complex(8) :: x(n), y(n)
  integer :: i
  x = [(cmplx(real(i, 8), -real(i, 8)/2, 8), i=1,n)]
  y = fft(x)
  print '(2f12.6)', y
  print '(2f12.6)', conjg(fft(conjg(y)))/n
  print *, abs(sum(x)), aimag(y(1)), real(y(2), 4)
contains
  recursive function fft(x) result(y)
    complex(8), intent(in) :: x(:)
    complex(8) :: y(size(x)), e(size(x)/2), o(size(x)/2), w
    integer :: k, m
    m = size(x)/2
    if (m == 0) then
      y = x
      return
    end if
    e = fft(x(1::2))
    o = fft(x(2::2))
    do k = 1, m
      w = exp(cmplx(0d0, -2*acos(-1d0)*(k-1)/size(x), 8))
      y(k) = e(k) + w*o(k)
      y(k+m) = e(k) - w*o(k)
    end do
  end function
end program
