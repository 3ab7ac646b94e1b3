module decls
  use other
  use, intrinsic :: iso_c_binding, only: c_int, ci => c_double
  use :: third, local => name, operator(.mine.) => operator(.yours.)
  use fourth, only: operator(+), assignment(=), x, operator(==)
  use fifth, only:
  implicit none
  private
  public :: a, operator(.add.), assignment(=), operator(/)
  integer, parameter :: n = 3, m = n * 2
  integer*4 i4, i8*8
  integer(8) j
  integer(kind=4), dimension(:, :), allocatable, save, target :: arr
  real(kind=kind(1.0d0)), intent(in), optional :: x(n, 0:m), y(*), z(2:*)
  double precision d
  double complex dc
  complex(8) :: c = (1.0, 2.0)
  complex*16 :: c16
  logical(1) l1
  byte :: b
  character c1, c2*5, c3(3)*(*)
  character*10 s1
  character*(n) s2
  character*10, s3
  character(10) :: s4
  character(len=*), parameter :: s5 = 'abc'
  character(len=n, kind=1) s6
  character(n, 1) s7
  character(kind=1, len=:), allocatable :: s8
  type(point), pointer :: p => null()
  real, pointer, dimension(:) :: q
  real, external :: func
  integer, volatile, asynchronous :: va
  integer(c_int), bind(c, name='var') :: cvar
  real x1 /1.0/, x2(3) /3*2.0/
  external ext1, ext2
  intrinsic sin
  dimension e1(3), e2(n, m)
  allocatable al(:), al2
  pointer :: po(:)
  target ta
  optional :: op
  save
  save :: sv, /blk/
  intent(in out) io
  intent(in) :: ii
  value va1
  volatile vo
  protected :: pr
  parameter (pi = 3.14, e = 2.7)
  common /blk/ a1, a2(3) /blk2/ a3, // a4
  common a5
  equivalence (a1, a3(2)), (s1(1:2), s2)
  data a1, a2 /1, 3*2.0/, a3 /-4/, (a4(i), i = 1, 3) /3*0/
  data s1 /'abc'/, c / (1.0, 2.0) /, l1 /.true./, i4 / z'ff' /, p / null() /
  data ((m1(i, j), i = 1, 2), j = 1, 2) / 4 * n /
  namelist /grp/ a1, a2 /grp2/ a3
  bind(c) :: /blk/, cvar2
  type point
    sequence
    private
    real :: x = 0.0, y
    type(point), pointer :: next => null()
    integer, allocatable, dimension(:) :: list
    character(len=5) name
    procedure(iface), pointer :: pp
  end type point
  type, public, bind(c) :: cpoint
    integer(c_int) :: i
  end type
  interface
    subroutine s(a)
      import :: point
      type(point) :: a
    end subroutine s
    real function f(x) result(y)
      real x
    end function
  end interface
  interface gen
    module procedure g1, g2
    procedure :: g3
  end interface gen
  interface operator(+)
    module procedure add
  end interface operator(+)
  interface operator ( .add. )
    procedure add2
  end interface
  interface assignment (=)
    module procedure assign
  end interface assignment(=)
  abstract interface
    subroutine iface(x)
      real x
    end subroutine
  end interface
  procedure(iface), pointer :: pi1 => null(), pi2
  procedure(real) :: rf
  procedure(), pointer :: anything
  enum, bind(c)
    enumerator :: red = 1, green
    enumerator blue
  end enum
contains
  recursive pure function fact(n) result(r)
    integer, intent(in) :: n
    integer :: r
    r = 1
  end function fact
  elemental subroutine el(x)
    real, intent(inout) :: x
    entry el2(x)
    x = 1
  end subroutine
  integer function fi(n)
    fi = n
  end function fi
  type(point) function fp()
  end function
  character(len=3) function fc() bind(c, name='fc')
  end function
  impure elemental real(8) function fr(x)
  contains
    subroutine internal
    end subroutine internal
  end function
end module decls
block data bd
  implicit real*8 (a-h, o-z), integer (i, j-n), character*5 (s), complex(kind=8) (c), logical (l)
  common /c/ x
end block data bd
