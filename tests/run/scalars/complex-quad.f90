! COMPLEX(16): arithmetic, parts, conversions and functions.
program complex_quad
  implicit none
  integer, parameter :: q = 16
  complex(q) :: z, w
  complex(8) :: d
  complex :: s
  integer :: n
  z = (1.5_q, -0.5_q); w = cmplx(0.25, 2, q)
  print *, z + w, z - w, z * w, z / w, -z
  print *, z == w, z /= w, z == (1.5, -0.5), z * 2, z / 2, z + 1.5d0
  print *, real(z), aimag(z), conjg(z), z%re, z%im, abs((3.0_q, 4.0_q))
  z%re = 7
  print *, z
  d = z / 3; s = z / 3
  print *, d, s, cmplx(d, kind=q), cmplx(z), real(z, 4), dble(z), int(z)
  z = d; print *, z
  z = 3; print *, z
  z = (1.5_q, -0.5_q)
  print *, z**2, z**(-3), z**0
  n = 5
  print *, z**n, z**(-n)
  print '(4es36.27)', sqrt(z), exp(z), log(z), sin(z), cos(z), tan(z)
  print '(4es36.27)', sinh(z), cosh(z), tanh(z), asin(z), acos(z), atan(z)
  print '(4es36.27)', asinh(z), acosh(z), atanh(z), abs(z), z**w, z**0.5_q
  print '(4es36.27)', sqrt((1.5_q, -0.5_q)), exp((1.5_q, -0.5_q)), log((1.5_q, -0.5_q)), (1.5_q, -0.5_q)**(0.25_q, 2.0_q)
  print *, abs(z - sqrt(z)**2) < 1e-32_q, twice(z), merge(z, w, .true.)
contains
  elemental complex(q) function twice(x)
    complex(q), intent(in) :: x
    twice = 2 * x
  end function
end program
