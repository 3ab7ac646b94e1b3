! Values beside descriptors and OPTIONAL arguments: C divides no value between the registers and the stack.
module value_types
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: triple
    real(c_float) :: x, y, z
  end type
  type, bind(c) :: words
    integer(c_long) :: m, n
  end type
  type, bind(c) :: mixed
    integer(c_int) :: k
    real(c_double) :: x
  end type
  type, bind(c) :: large
    integer(c_long) :: n(5)
  end type
end module

! The last register is left over by a COMPLEX.
real(8) function pair(a, b, c, d, e, f, g, z, h, v)
  real(8), value :: a, b, c, d, e, f, g, h
  complex(8), value :: z
  real(8) :: v(:)
  pair = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 100 * real(z) + 1000 * aimag(z) + 1d4 * h + sum(v)
end function

! On AArch64 both parts lie in one word of the stack.
real(8) function single(a, b, c, d, e, f, g, z, y, v)
  real(4), value :: a, b, c, d, e, f, g
  complex(4), value :: z, y
  real(8), optional :: v
  single = a + b + c + d + e + f + g + 10 * real(z) + 100 * aimag(z) + 1000 * real(y) + 1d4 * aimag(y)
  if (present(v)) single = single + v
end function

! Structures of integers, of floats, and one that is large; a length and an extent behind them.
real(8) function structures(v, i, j, k, l, w, n, x, y, z, t, u, s)
  use value_types
  real(8) :: v(:)
  integer(8), value :: i, j, k, l, n
  type(words), value :: w
  real(8), value :: x, y, z
  type(triple), value :: t, u
  character(*) :: s
  structures = size(v) + 2 * i + 3 * j + 4 * k + 5 * l + 10 * w%m + 100 * w%n + 1000 * n + x + y + z + t%x + 2 * t%y &
    + 3 * t%z + 4 * u%x + 5 * u%y + 6 * u%z + len(s)
end function

! All registers of numbers are used up before the structure of floats.
real(8) function stacked(v, a, b, c, d, e, f, t, h, m, i)
  use value_types
  real(8), value :: a, b, c, d, e, f, h
  real(8), optional :: v
  type(triple), value :: t
  type(large), value :: m
  integer, value :: i
  stacked = a + b + c + d + e + f + 10 * t%x + 100 * t%y + 1000 * t%z + 1d4 * h + 1d5 * m%n(1) + 1d6 * m%n(5) + i
  if (present(v)) stacked = -stacked
end function

! A flag beside the values.
real(8) function flagged(a, b, c, d, e, f, g, z, o, v)
  real(8), value :: a, b, c, d, e, f, g
  complex(8), value :: z
  real(8), value, optional :: o
  real(8) :: v(:)
  flagged = a + b + c + d + e + f + g + 10 * real(z) + 100 * aimag(z) + size(v)
  if (present(o)) flagged = flagged + 1000 * o
end function

! Structures as results: in registers of both kinds, in those for floats, and in memory.
function mixed_of(v) result(r)
  use value_types
  real(8) :: v(:)
  type(mixed) :: r
  r = mixed(size(v), sum(v))
end function
function triple_of(v, t) result(r)
  use value_types
  real(8), optional :: v
  type(triple), value :: t
  type(triple) :: r
  r = triple(t%z, t%y, t%x)
  if (present(v)) r%x = r%x + real(v)
end function
function large_of(v, i, j, k, l, w) result(r)
  use value_types
  real(8) :: v(:)
  integer(8), value :: i, j, k, l
  type(words), value :: w
  type(large) :: r
  r%n = [i, j, k + size(v), l, w%m + w%n]
end function

! An address for the result takes a register, of descriptors or not.
function quads(v, i, j, k, l, w) result(r)
  use value_types
  real(8) :: v(:)
  integer(8), value :: i, j, k, l
  type(words), value :: w
  complex(16) :: r
  r = cmplx(i + 10 * j + 100 * k + 1000 * l, w%m + 10 * w%n + size(v), 16)
end function
function quads_of(i, j, k, l, w) result(r)
  use value_types
  integer(8), value :: i, j, k, l
  type(words), value :: w
  complex(16) :: r
  r = cmplx(i + 10 * j + 100 * k + 1000 * l, w%m + 10 * w%n, 16)
end function
function array_of(v, i, j, k, w) result(r)
  use value_types
  real(8) :: v(:)
  integer(8), value :: i, j, k
  type(words), value :: w
  real(8) :: r(size(v))
  r = v + i + 10 * j + 100 * k + 1000 * w%m + 10000 * w%n
end function

! A procedure whose address is all that is known.
real(8) function through(p)
  interface
    real(8) function p(a, b, c, d, e, f, g, z, h, v)
      real(8), value :: a, b, c, d, e, f, g, h
      complex(8), value :: z
      real(8) :: v(:)
    end function
  end interface
  real(8) :: v(2) = [0.25d0, 0.5d0]
  through = p(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), 10d0, v)
end function
