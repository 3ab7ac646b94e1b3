! REAL(16) in modules, derived types, generic procedures, optional and assumed-shape arguments, and as results.
module quads
  implicit none
  integer, parameter :: qp = kind(1.0q0)
  type t
    integer :: n
    real(qp) :: x = 2.5_qp
    logical(1) :: l
    complex(qp) :: z
    real(qp), allocatable :: a(:)
  end type
  real(qp) :: saved = 4.5_qp
  complex(qp), save :: zs(2)
  interface f
    module procedure f4, f8, f16, fc16
  end interface
  interface operator(.plus.)
    module procedure add
  end interface
contains
  integer function f4(x)
    real, intent(in) :: x
    f4 = 4 + int(x)
  end function
  integer function f8(x)
    real(8), intent(in) :: x
    f8 = 8 + int(x)
  end function
  integer function f16(x)
    real(qp), intent(in) :: x
    f16 = 16 + int(x)
  end function
  integer function fc16(x)
    complex(qp), intent(in) :: x
    fc16 = 32 + int(x)
  end function
  elemental real(qp) function sq(x)
    real(qp), intent(in) :: x
    sq = x * x
  end function
  function add(a, b) result(r)
    type(t), intent(in) :: a, b
    type(t) :: r
    r%n = a%n + b%n
    r%x = a%x + b%x
    r%z = a%z + b%z
    r%l = .true.
    r%a = a%a + b%a
  end function
  recursive function fact(n) result(r)
    integer, intent(in) :: n
    real(qp) :: r
    r = 1
    if (n > 1) r = n * fact(n - 1)
  end function
  subroutine swap(a, b)
    real(qp), intent(inout) :: a, b
    real(qp) :: c
    c = a; a = b; b = c
  end subroutine
  real(qp) function opt(x, y)
    real(qp), optional, intent(in) :: x
    real(qp), value :: y
    y = 2 * y
    opt = -y
    if (present(x)) opt = x + y
  end function
  real(qp) function integral(g, a, b)
    interface
      real(16) function g(x)
        real(16), intent(in) :: x
      end function
    end interface
    real(qp), intent(in) :: a, b
    integral = (b - a) / 6 * (g(a) + 4 * g((a + b) / 2) + g(b))
  end function
  complex(qp) function rotate(z)
    complex(qp), intent(in) :: z(:)
    rotate = sum(z) * (0, 1)
  end function
end module
program module_quad
  use quads
  implicit none
  type(t) :: u, v, w
  real(qp) :: x, y, common(3)
  integer :: i
  common /c/ i, common
  u%n = 1; u%z = (1, 2); u%a = [1, 2, 3]
  v = u; v%x = 0.125_qp
  w = u .plus. v
  print *, w%n, w%x, w%l, w%z, w%a
  print *, f(1.0), f(1.0d0), f(1.0_qp), f((1.0_qp, 2.0_qp))
  print *, fact(30), sq([1.5_qp, 2.5_qp])
  x = 1; y = 2
  call swap(x, y)
  print *, x, y, opt(y=3.0_qp), opt(x, y)
  print *, integral(cube, 0.0_qp, 2.0_qp)
  zs = [(1, 2), (3, 4)]
  print *, rotate(zs), rotate(zs(2:1:-1)), saved
  i = 3
  common = [1, 2, i]
  call show
contains
  real(qp) function cube(x)
    real(qp), intent(in) :: x
    cube = x**3
  end function
end program
subroutine show
  integer :: i
  real(16) :: common(3)
  common /c/ i, common
  print *, i, common
end subroutine
