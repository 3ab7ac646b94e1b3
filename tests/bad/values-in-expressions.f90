! Subscripts, substrings and arguments of intrinsics of a wrong type, rank or range.
module shapes
  implicit none
  type t
    real :: x(3)
    character(4) :: name
    integer :: k
  end type
contains
  function vec(n) result(r)
    integer, intent(in) :: n
    real :: r(n)
    r = 1
  end function
  elemental real function twice(x)
    real, intent(in) :: x
    twice = 2 * x
  end function
end module
program p
  use shapes
  implicit none
  real :: a(3), b(4), m(2, 3), n(3, 2)
  integer :: i, j, k(3)
  character(5) :: s, w(3)
  logical :: l, q(3)
  type(t) :: v, vs(2)
  real, allocatable :: al(:), al2(:, :)
  real, pointer :: pt(:)
  complex :: z
  k(1.5) = 2
  k(l) = 2
  k(s) = 2
  k(v) = 2
  k(m) = 2
  k(1, 2) = 2
  k(1:2:0) = 2
  k(5) = 2
  vs(3)%x(4) = 1
  vs(1)%k(2) = 1
  vs(1)%name(1:9) = 'a'
  vs(1)%name(2) = 'a'
  vs%x = 1
  s(2:9) = 'a'
  s(1:2:1) = 'a'
  s(a:2) = 'a'
  s(l:2) = 'a'
  i(2) = 1
  i(2:3) = 1
  z = (a, 1.0)
  z = (s, 1.0)
  i = -s
  l = .not. v
  i = v + 1
  a = max(a, b)
  a = max(1.0, 2)
  i = ishft(1, 99)
  i = size(i)
  i = size(a, 2)
  i = size(a, a)
  a = sum(m, 3)
  a = sum(m, q)
  a = matmul(m, m)
  i = dot_product(a, b)
  i = nosuch(a)
  i = index(s, 1)
  i = index(w, ['a', 'b'])
  i = int(a, 99)
  i = merge(1, 2, 3)
  s = merge('a', 'bc', l)
  i = iand(1, l)
  i = iand(z'f', z'e')
  call random_number(i)
  call random_number(1.0)
  call sin(a)
  call cpu_time(s)
  call system_clock(a(1), q)
  i = random_number(a)
  a = reshape(b, [2, 2])
  m = reshape(a, [2, 3])
  m = reshape(a, k)
  m = spread(a, 4, 2)
  a = cshift(a, 1, 2)
  a = pack(b, q)
  a = unpack(a, q, b)
  i = ichar('ab')
  i = len(i)
  i = minloc(a, q, q)
  i = findloc(a, s)
  i = kind(nosuch2)
  i = present(i)
  l = allocated(i)
  stop k
end program