! External procedures: arguments and results of all types and kinds, by the rules of FORTRAN 77 and C.
subroutine numbers(i1, i2, i4, i8, r4, r8, c4, c8, l1, l4, l8)
  integer(1) :: i1
  integer(2) :: i2
  integer(4) :: i4
  integer(8) :: i8
  real(4) :: r4
  real(8) :: r8
  complex(4) :: c4
  complex(8) :: c8
  logical(1) :: l1
  logical(4) :: l4
  logical(8) :: l8
  i1 = i1 + 1_1
  i2 = i2 * 2_2
  i4 = -i4
  i8 = i8 + i4
  r4 = r4 / 2
  r8 = r8 + r4
  c4 = conjg(c4)
  c8 = c8 * c4
  l1 = .not. l1
  l4 = l4 .and. l1
  l8 = l8 .or. l4
end subroutine
complex function half(z)
  complex :: z
  half = z / 2
end function
complex(8) function twice(z)
  complex(8) :: z
  twice = z * 2
end function
logical(1) function less(a, b)
  real :: a, b
  less = a < b
end function
integer(8) function total(v, n)
  integer :: n
  integer(2) :: v(n, *)
  total = sum(int(v(:, 1:2), 8))
end function
character(*) function greeting(name, times)
  character(*) :: name
  integer :: times
  greeting = repeat('hi ', times) // name
end function
character(4) function four()
  four = 'four'
end function
subroutine strings(a, n, b, c)
  integer :: n
  character(*) :: a(n), c
  character(3) :: b
  integer :: i
  do i = 1, n
    a(i) = b // a(i)
  end do
  c = a(n)(2:) // c
end subroutine
subroutine choose(n, *, *)
  integer :: n
  if (n == 1) return 1
  if (n == 2) return 2
end subroutine
subroutine common_changed(k)
  integer :: k, m
  real(8) :: x
  character(5) :: s
  common /shared/ x, m, s
  common n(3)
  x = x * 2
  m = m + k
  s = 'done!'
  n(2) = k
end subroutine
real function applied(f, x, g)
  real, external :: f
  real :: x
  external :: g
  call g(x, 'text')
  applied = f(x)
end function
integer function c_sum(n, v, x) bind(c, name='c_sum')
  use iso_c_binding
  integer(c_int), value :: n
  integer(c_int) :: v(*)
  real(c_double), value :: x
  c_sum = sum(v(1:n)) + int(x)
end function
subroutine entries(k)
  integer :: k
  k = 1
  return
  entry entries2(k)
  k = 2
end subroutine
subroutine structure(p)
  type point
    sequence
    integer :: k
    real(8) :: x
    character(2) :: s
  end type
  type(point) :: p
  p%k = p%k + 1
  p%x = -p%x
  p%s = 'ok'
end subroutine
