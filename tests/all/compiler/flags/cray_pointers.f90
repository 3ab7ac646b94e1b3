! Cray pointers in registers, in COMMON, as dummy arguments and in a module; bounds at entry, shapes of any size.
module heap
  implicit none
  integer(8) :: at
  integer :: cell(3)
  pointer (at, cell)
contains
  subroutine fill(k)
    integer, intent(in) :: k
    cell = k
  end subroutine
end module

program cray
  use heap
  implicit none
  common /memory/ ipc, buffer(20)
  integer(8) :: ipc
  real :: x, y, a(10), buffer
  integer :: k, n, i, many(6) = 0
  pointer (ip, x(10)), (ipc, y(5, *)), (jp, k)
  a = [(i, i = 1, 10)]
  buffer = [(100 + i, i = 1, 20)]
  ip = loc(a)
  ipc = loc(buffer)
  x(3) = 33
  if (a(3) /= 33 .or. x(10) /= 10 .or. y(2, 1) /= 102 .or. y(1, 2) /= 106) stop 1
  ip = loc(a(4))
  if (x(1) /= 4) stop 2
  ip = ip + 4
  if (x(1) /= 5) stop 3
  jp = loc(n)
  n = 7
  if (k /= 7) stop 4
  k = 9
  if (n /= 9) stop 5
  call shift(ip, 3)
  if (any(a /= [1., 2., 33., 4., 96., 96., 96., 8., 9., 10.])) stop 6
  ip = malloc(40)
  x = 2.5
  if (sum(x) /= 25) stop 7
  call free(ip)
  at = loc(many(4))
  call fill(8)
  if (any(many /= [0, 0, 0, 8, 8, 8])) stop 8
  ip = loc(a)
  call inside
  if (a(1) /= -5) stop 9
contains
  subroutine inside
    x(1) = -5
    call letters(loc(a(3)))
  end subroutine
end program

subroutine shift(p, m)
  implicit none
  integer(8) :: p, ipc
  integer :: m, i
  real :: z, y, buffer
  common /memory/ ipc, buffer(20)
  pointer (p, z(m)), (ipc, y(*))
  do i = 1, m
    z(i) = -z(i) + y(i)
  end do
  if (size(z) /= 3) stop 10
end subroutine

subroutine letters(q)
  implicit none
  integer(8) :: q
  character(4) :: c, t
  complex :: w
  pointer (r, c), (r, w)
  r = q
  w = (1.0, 2.0)
  if (w /= (1.0, 2.0) .or. len(c) /= 4) stop 11
  t = 'ABCD'
  r = loc(t)
  if (c /= 'ABCD' .or. c(2:2) /= 'B') stop 12
end subroutine
