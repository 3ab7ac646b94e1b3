! COMPLEX by value where fewer registers are left than it takes, in procedures with descriptors.
module registers
  implicit none
contains
  ! Seven of the eight registers are taken: the COMPLEX is in memory, and so is all that follows.
  real(8) function seven(v, a, b, c, d, e, f, g, z, h, w)
    real(8), intent(in) :: v(:)
    real(8), value :: a, b, c, d, e, f, g, h
    complex(8), value :: z
    complex(4), value :: w
    seven = sum(v) + a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*real(z) + 9*aimag(z) + 10*h + 11*real(w) + 12*aimag(w)
    z = 0
  end function
  ! The last two registers are just enough.
  complex(8) function six(v, a, b, c, d, e, f, z, h)
    complex(8), intent(in) :: v(:)
    real(8), value :: a, b, c, d, e, f, h
    complex(4), value :: z
    six = sum(v) + cmplx(a + 2*b + 3*c, 4*d + 5*e + 6*f, 8) + 7*z + h
  end function
  function rows(v, a, b, c, d, e, f, g, z, n) result(r)
    real(8), intent(in) :: v(:, :)
    real(8), value :: a, b, c, d, e, f, g
    complex(4), value :: z
    integer, value :: n
    complex(8) :: r(size(v, 2))
    r = cmplx(a + b + c + d + e + f + g + n, real(z) + 10*aimag(z), 8) + sum(v, 1)
  end function
end module
