! Structures by value at ENTRY; tests/abi/entries.c has the same in C, for gfortran passes other values there.
module entry_types
  use iso_c_binding
  implicit none
  type, bind(c) :: pair
    real(c_float) :: x, y
  end type
  type, bind(c) :: point
    real(c_double) :: x, y, z
  end type
  type, bind(c) :: mixed
    integer(c_int) :: n
    real(c_double) :: z
  end type
  type, bind(c) :: long
    integer(c_int64_t) :: n(3)
  end type
end module

! All names have the same result; each has other arguments.
real(c_double) function first(p, k) bind(c)
  use entry_types
  type(pair), value :: p, q
  type(point), value :: a
  type(mixed), value :: m
  type(long), value :: l
  integer(c_int), value :: k
  real(c_double), value :: s
  real(c_double) :: second, third, fourth
  first = p%x + 10*p%y + 100*k
  p%x = 0
  return
entry second(a, k, m) bind(c)
  second = a%x + 10*a%y + 100*a%z + 1000*k + 1d4*m%n + 1d5*m%z
  a%x = 0
  return
entry third(s, m, l, q) bind(c)
  third = s + 10*m%n + 100*m%z + 1000*l%n(1) + 1d4*l%n(3) + 1d5*q%y
  m%n = 0
  return
entry fourth(l, a, p, q) bind(c)
  fourth = l%n(2) + 10*a%z + 100*p%x + 1000*q%x
end function

subroutine whole(t, r)
  use entry_types
  type(mixed), value :: t
  type(pair), value :: u
  real(c_double), intent(out) :: r
  r = t%n + 10*t%z
  return
entry part(u, r)
  r = u%x + 10*u%y
end subroutine
