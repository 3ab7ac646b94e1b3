! Procedures with arguments and results of REAL(16) and COMPLEX(16).
real(16) function minus(a, b)
  real(16), intent(in) :: a
  real(16), value :: b
  minus = a - b
end function
complex(16) function mixed(n, a, b, m)
  integer, intent(in) :: n
  integer, value :: m
  complex(16), intent(in) :: a
  complex(16), value :: b
  mixed = a * b + n - m
end function
function halves(n) result(r)
  integer, intent(in) :: n
  real(16) :: r(n)
  integer :: i
  do i = 1, n
    r(i) = i + 0.5_16
  end do
end function
complex(16) function total(x)
  complex(16), intent(in) :: x(:)
  total = sum(x)
end function
real(16) function twice_applied(f, x)
  interface
    real(16) function f(x)
      real(16), intent(in) :: x
    end function
  end interface
  real(16), intent(in) :: x
  twice_applied = f(f(x))
end function
function scaled(a, x) bind(c, name='scaled') result(r)
  use iso_c_binding
  real(c_double), value :: a
  complex(c_float128_complex), value :: x
  complex(c_float128_complex) :: r
  r = a * x
end function
subroutine change(x, z, n)
  real(16), optional, intent(inout) :: x
  complex(16), intent(inout) :: z(n)
  integer, intent(in) :: n
  common /quads/ kept, also
  real(16) :: kept
  complex(16) :: also
  if (present(x)) x = x / 3
  z = conjg(z) / 4
  kept = kept + 1
  also = also * (0, 1)
end subroutine
complex(16) function many(a, b, c, d, e, f, g, h, i, j)
  real(16), value :: a, b, c, d, e, f, g, h, i, j
  many = cmplx(a + b + c + d + e, f + g + h + i - j, 16)
end function
