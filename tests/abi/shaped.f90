! Assumed-shape and OPTIONAL dummy arguments and array results, of external procedures and of a module.
subroutine note(k)
  integer :: k, n, notes(100)
  common /noted/ n, notes
  n = n + 1
  notes(n) = k
end subroutine
subroutine double(a, by)
  real :: a(:)
  real, optional :: by
  integer :: i
  call note(lbound(a, 1))
  call note(ubound(a, 1))
  do i = 1, size(a)
    if (present(by)) then
      a(i) = a(i) * by
    else
      a(i) = a(i) * 2
    end if
  end do
end subroutine
function sums(m, mask) result(r)
  integer(8), intent(in) :: m(0:, -1:)
  logical, intent(in), optional :: mask(:, :)
  integer(8) :: r(size(m, 2))
  if (present(mask)) then
    r = sum(m, dim=1, mask=mask)
  else
    r = sum(m, dim=1)
  end if
  r = r + 1000 * lbound(m, 2) + 100 * ubound(m, 1)
end function
character(20) function joined(words, by, most)
  character(*) :: words(:)
  character(*), optional :: by
  integer, optional :: most
  integer :: i
  joined = ''
  do i = 1, size(words)
    if (present(most)) then
      if (i > most) exit
    end if
    if (present(by) .and. i > 1) joined = trim(joined) // by
    joined = trim(joined) // words(i)
  end do
  do i = 1, size(words)
    words(i) = 'x' // words(i)
  end do
end function
real(8) function scaled(x, by, n)
  real(8), value :: x
  real(8), optional, value :: by
  logical, optional, value :: n
  scaled = x
  if (present(by)) scaled = x * by
  if (present(n)) scaled = merge(-scaled, scaled + 1, n)
end function
complex(8) function dot(x, y)
  complex(8), intent(in) :: x(:), y(:)
  dot = sum(x * y)
end function
subroutine edges(a, *, n)
  integer, contiguous :: a(:)
  integer, optional, intent(inout) :: n
  a(1) = a(size(a))
  if (present(n)) n = n + size(a)
  if (.not. present(n)) return 1
end subroutine
real function through(f, x, last)
  interface
    real function f(v, n)
      real :: v(:)
      integer, optional :: n
    end function
  end interface
  real :: x(:)
  logical :: last
  integer :: k
  if (last) then
    k = 1
    through = f(x(::2), k)
    through = through + 100 * k
  else
    through = f(x)
  end if
end function
integer function begin(v, n)
  integer :: v(:)
  integer, optional :: n
  integer :: finish
  begin = 0
  if (present(n)) begin = n
  begin = begin + v(1)
  return
  entry finish(v)
  finish = v(size(v))
end function
integer function c_total(v, w) bind(c, name='c_total')
  use iso_c_binding
  integer(c_int), intent(in) :: v(:)
  real(c_double), optional :: w(:, :)
  c_total = sum(v)
  if (present(w)) then
    w = w + 1
    c_total = c_total + int(sum(w))
  end if
end function

module shaped
  implicit none
  type point
    integer :: k
    real(8) :: x
    character(3) :: s
  end type
  interface area
    module procedure area_of, area_of_all
  end interface
  interface
    subroutine visit(a)
      integer :: a(:)
    end subroutine
  end interface
contains
  real(8) function area_of(w, h)
    real(8), intent(in) :: w
    real(8), intent(in), optional :: h
    area_of = w * w
    if (present(h)) area_of = w * h
  end function
  real(8) function area_of_all(w)
    real(8), intent(in) :: w(:)
    area_of_all = sum(w)
  end function
  subroutine move(p, by, n)
    type(point), intent(inout) :: p(:)
    type(point), optional :: by
    integer, optional, intent(out) :: n
    p%k = p%k + 1
    if (present(by)) p%x = p%x + by%x
    if (present(n)) n = size(p)
  end subroutine
  subroutine storage(a, p, c)
    integer, allocatable, optional :: a(:)
    real, pointer, optional :: p(:)
    character(:), allocatable, optional :: c
    if (present(a)) then
      call note(merge(1, 0, allocated(a)))
      if (.not. allocated(a)) allocate (a(2:3), source=7)
    end if
    if (present(p)) then
      call note(merge(1, 0, associated(p)))
      if (associated(p)) p = p + 1
    end if
    if (present(c)) c = 'given'
    call note(count([present(a), present(p), present(c)]))
  end subroutine
  subroutine pass_on(a, b, n)
    real, optional :: a(:), b
    integer, optional :: n
    call inner(a, b, n)
  end subroutine
  subroutine inner(a, b, n)
    real, optional :: a(:), b
    integer, optional :: n
    call note(count([present(a), present(b), present(n)]))
    if (present(a)) call note(int(sum(a)))
    if (present(b)) b = b + 1
    if (present(n)) n = n + 1
  end subroutine
  elemental integer function clamp(i, most)
    integer, intent(in) :: i
    integer, intent(in), optional :: most
    clamp = i
    if (present(most)) clamp = min(i, most)
  end function
  subroutine each(act, a)
    procedure(visit) :: act
    integer :: a(:, :)
    integer :: j
    do j = 1, size(a, 2)
      call act(a(:, j))
      call act(a(j, :))
    end do
  end subroutine
  subroutine count_up(a)
    integer :: a(:)
    integer :: i
    a = a + [(i, i=1, size(a))]
  end subroutine
  subroutine choose(p, up)
    procedure(visit), pointer :: p
    logical :: up
    p => null()
    if (up) p => count_up
  end subroutine
  function table(n, words) result(t)
    integer, intent(in) :: n
    character(*), intent(in) :: words(:)
    character(len(words) + 1) :: t(n, size(words))
    integer :: i, j
    do j = 1, size(words)
      do i = 1, n
        t(i, j) = words(j)(1:1) // achar(iachar('0') + i) // words(j)(2:)
      end do
    end do
  end function
  function points(n) result(p)
    integer, intent(in) :: n
    type(point) :: p(0:n)
    integer :: i
    do i = 0, n
      p(i) = point(i, i * 1.5d0, 'new')
    end do
  end function
  function grid(n, f) result(g)
    integer, intent(in) :: n
    interface
      function f(i, n) result(r)
        integer, intent(in) :: i, n
        real :: r(n)
      end function
    end interface
    real :: g(n, n)
    integer :: i
    do i = 1, n
      g(i, :) = f(i, n)
    end do
  end function
  recursive integer function depth(a) result(d)
    integer :: a(:)
    d = 0
    if (size(a) > 1) d = 1 + depth(a(1:size(a):2))
  end function
end module
