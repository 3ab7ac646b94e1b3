! Structures in the functions that move elements about, and as results of elemental functions
module m
  implicit none
  type t
    integer :: i = 0
    character(3) :: c = 'abc'
    real(8) :: x = 1d0
  end type
  type own
    integer, allocatable :: a(:)
  end type
contains
  elemental function make(i, x) result(r)
    integer, intent(in) :: i
    real(8), intent(in) :: x
    type(t) :: r
    r%i = i
    r%x = x
  end function
  elemental type(t) function bump(a)
    type(t), intent(in) :: a
    bump = a
    bump%i = a%i + 1
  end function
end module
program p
  use m
  implicit none
  type(t) :: a(6), b(2,3), c(3,2), one, d(6)
  type(t), allocatable :: q(:)
  type(own) :: o(3), r(3)
  integer :: i, bytes(6), raw(4)
  logical :: mask(6)
  a = make([1, 2, 3, 4, 5, 6], 2.5d0)
  print *, a%i, a%x
  a = bump(a)
  print *, a%i
  b = reshape(a, [2, 3])
  print *, b(2, :)%i
  c = transpose(b)
  print *, c(:, 2)%i
  d = cshift(a, 2)
  print *, d%i
  d = eoshift(a, 2, boundary=t(9, 'zzz', 0d0))
  print *, d%i, d(6)%c
  mask = mod(a%i, 2) == 0
  q = pack(a, mask)
  print *, size(q), q%i
  d = unpack(q, .not. mask, a)
  print *, d%i
  q = spread(a(3), 1, 3)
  print *, q%i, q%c
  d = merge(a, a(6:1:-1), mask)
  print *, d%i
  one = merge(a(1), a(2), a(1)%i > 1)
  print *, one
  raw = transfer(a(2), raw, 4)
  print *, raw(1)
  one = transfer(raw, one)
  print *, one%i
  do i = 1, 3
    allocate(o(i)%a(i))
    o(i)%a = i
  end do
  r = cshift(o, 1)
  print *, (r(i)%a, i = 1, 3)
  r = merge(o, r, [.true., .false., .true.])
  print *, (size(r(i)%a), i = 1, 3)
  print *, (size(o(i)%a), i = 1, 3)
end program
