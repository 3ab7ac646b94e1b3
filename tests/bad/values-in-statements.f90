! Values of a wrong type, rank or shape in assignments and in the heads of statements.
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
  a = b
  a = vec(4)
  a = a + b
  a = a + vec(4)
  a = twice(a + b)
  a = twice(b)
  a(1:2) = b(2:4)
  a(i:i+1) = b(i:i+2)
  a = m(:, 1)
  m = a
  m = transpose(m)
  i = a
  al = m
  al2 = a
  s = w
  w = w // [s, s]
  s = s // 1
  s = 1 // s // 2
  if (i) i = 1
  if (q) i = 1
  if (s) then
  else if (v) then
  end if
  do while (i)
  end do
  do i = 1, a
  end do
  do i = 1, s
  end do
  forall (i = 1:a(1)) k(i) = 1
  forall (i = 1:3, k(i)) k(i) = 1
  do concurrent (i = 1:s)
  end do
  where (l) a = 1
  where (k) a = 1
  where (q)
    a = b
    m = 1
  elsewhere (l)
    a = 2
  end where
  select case (k)
  case (1)
  end select
  go to (10, 20), a(1)
10 continue
20 continue
end program