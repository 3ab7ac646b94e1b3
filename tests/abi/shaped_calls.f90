! Calls everything in shaped.f90.
program calls
  use shaped
  use iso_c_binding
  implicit none
  interface
    subroutine double(a, by)
      real :: a(:)
      real, optional :: by
    end subroutine
    function sums(m, mask) result(r)
      integer(8), intent(in) :: m(0:, -1:)
      logical, intent(in), optional :: mask(:, :)
      integer(8) :: r(size(m, 2))
    end function
    character(20) function joined(words, by, most)
      character(*) :: words(:)
      character(*), optional :: by
      integer, optional :: most
    end function
    real(8) function scaled(x, by, n)
      real(8), value :: x
      real(8), optional, value :: by
      logical, optional, value :: n
    end function
    complex(8) function dot(x, y)
      complex(8), intent(in) :: x(:), y(:)
    end function
    subroutine edges(a, *, n)
      integer, contiguous :: a(:)
      integer, optional, intent(inout) :: n
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
    end function
    integer function begin(v, n)
      integer :: v(:)
      integer, optional :: n
    end function
    integer function finish(v)
      integer :: v(:)
    end function
    integer function c_total(v, w) bind(c, name='c_total')
      use iso_c_binding
      integer(c_int), intent(in) :: v(:)
      real(c_double), optional :: w(:, :)
    end function
    real function weigh(v, n)
      real :: v(:)
      integer, optional :: n
    end function
  end interface
  real, target :: r(10) = [1., 2., 3., 4., 5., 6., 7., 8., 9., 10.]
  real, pointer :: rp(:) => null()
  integer(8) :: m(4, 3)
  character(4) :: w(0:4) = ['ab  ', 'c   ', 'def ', 'gh  ', 'ijkl']
  complex(8) :: z(3) = [(1d0, 2d0), (3d0, -1d0), (0d0, 1d0)]
  integer :: v(7) = [1, 2, 3, 4, 5, 6, 7], n, i, a(3, 3) = 0
  integer, allocatable :: al(:)
  character(:), allocatable :: c
  type(point) :: p(6)
  real :: g(3, 3)
  real(8) :: d(2, 2) = reshape([1d0, 2d0, 3d0, 4d0], [2, 2])
  procedure(visit), pointer :: act
  integer :: noted, notes(100)
  common /noted/ noted, notes
  noted = 0
  call double(r)
  call double(r(9:1:-4), 10.)
  call double(r(3:2))
  call double(by=0.5, a=r(::3))
  print *, r
  m = reshape([(int(i, 8), i=1, 12)], [4, 3])
  print *, sums(m), sums(m(4:2:-2, 1:3:2)), sums(m, m > 3), sums(m(:, 2:2), m(:, 1:1) > 2)
  print *, joined(w), '|'
  print *, joined(w(4:0:-2), '+'), '|'
  print *, joined(w(1:3)(2:3), most=2), '|', joined(w, ', ', 3), '|'
  print *, w
  print *, scaled(3d0), scaled(3d0, 2d0), scaled(3d0, n=.false.), scaled(3d0, 0d0, .true.)
  print *, dot(z, z), dot(z(::2), z(3:2:-1))
  n = 100
  call edges(v, *10, n)
  call edges(v(2:6:2), *10, n)
  print *, v, n
  call edges(v(3:), *10)
  print *, 'not here'
10 print *, v, n
  i = 1000
  print *, through(weigh, r, .false.), through(weigh, r(10:1:-1), .true.)
  print *, through(inside, r, .false.), through(inside, r(2:3), .true.), n
  print *, begin(v), begin(v(7:1:-1), 5), finish(v(1:5)), finish(v(2:2))
  print *, c_total(v), c_total(v(1:7:3), d), c_total(v(7:6), d(2:2, :)), d
  print *, area(3d0), area(3d0, 2d0), area([1d0, 2d0, 4d0])
  do i = 1, 6
    p(i) = point(i, i * 0.5d0, 'p')
  end do
  call move(p(6:1:-3), n=n)
  call move(p(2:4), by=p(1))
  print *, n, p
  call double(r(1:4))
  rp => r(1:5:2)
  call storage()
  call storage(al, rp)
  call storage(p=rp, c=c, a=al)
  print *, al, r(1:5), rp, c
  call double(rp(:2))
  call each(count_up, a)
  call each(own, a(1:3:2, 3:1:-2))
  print *, a
  call choose(act, .true.)
  call act(a(2, :))
  print *, a, depth(v)
  call choose(act, .false.)
  print *, associated(act)
  act => own
  call act(v(1:2))
  print *, v, clamp(v), clamp(v, 3), clamp([1, 9], [5, 6])
  call pass_on()
  call pass_on(r(1:3), n=n)
  call pass_on(b=r(1))
  print *, r(1), n, notes(1:noted)
  print *, table(2, ['abc', 'xyz', 'klm']), size(table(0, w)), len(table(1, w))
  p(6:1:-2) = points(2)
  print *, p, points(1)
  r = 0
  r(2:10:4) = row(7, 3)
  g = grid(3, row)
  print *, r, g, grid(2, row)
  call double(g(2, :))
  d(2, :) = [7d0, 8d0]
  call move(p)
  print *, g, area(p(::2)%x), area(d(2, :)), depth(p%k)
contains
  real function inside(v, n)
    real :: v(:)
    integer, optional :: n
    inside = sum(v) + i
    if (present(n)) n = 2
  end function
  function row(i, n) result(r)
    integer, intent(in) :: i, n
    real :: r(n)
    integer :: k
    r = [(real(10 * i + k), k=1, n)]
  end function
  subroutine own(a)
    integer :: a(:)
    a = -a
  end subroutine
end program
real function weigh(v, n)
  real :: v(:)
  integer, optional :: n
  integer :: i
  weigh = 0
  do i = 1, size(v)
    weigh = weigh + v(i) * i
  end do
  if (present(n)) n = size(v)
end function
