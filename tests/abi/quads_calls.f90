! Calls everything in quads.f90.
program quads_calls
  use iso_c_binding
  implicit none
  interface
    real(16) function minus(a, b)
      real(16), intent(in) :: a
      real(16), value :: b
    end function
    complex(16) function mixed(n, a, b, m)
      integer, intent(in) :: n
      integer, value :: m
      complex(16), intent(in) :: a
      complex(16), value :: b
    end function
    function halves(n) result(r)
      integer, intent(in) :: n
      real(16) :: r(n)
    end function
    complex(16) function total(x)
      complex(16), intent(in) :: x(:)
    end function
    real(16) function twice_applied(f, x)
      interface
        real(16) function f(x)
          real(16), intent(in) :: x
        end function
      end interface
      real(16), intent(in) :: x
    end function
    function scaled(a, x) bind(c, name='scaled') result(r)
      use iso_c_binding
      real(c_double), value :: a
      complex(c_float128_complex), value :: x
      complex(c_float128_complex) :: r
    end function
    subroutine change(x, z, n)
      real(16), optional, intent(inout) :: x
      complex(16), intent(inout) :: z(n)
      integer, intent(in) :: n
    end subroutine
    complex(16) function many(a, b, c, d, e, f, g, h, i, j)
      real(16), value :: a, b, c, d, e, f, g, h, i, j
    end function
  end interface
  complex(16) :: z(4), also
  real(16) :: x, kept, y(10)
  integer :: i
  common /quads/ kept, also
  z = [(1, 2), (3, 4), (5, 6), (7, 8)]
  print *, minus(3.0_16, 0.1_16)
  print *, mixed(1, (1.0_16, 2.0_16), (3.0_16, 4.0_16), 7)
  print *, mixed(1, z(2), z(3), 7)
  print *, halves(3)
  print *, total(z(1:4:2))
  print *, total(z)
  print *, twice_applied(twice, 2.5_16)
  print *, scaled(2.0_8, z(2))
  x = 1; kept = 0.5_16; also = (1, -1)
  call change(x, z, 3)
  print *, x
  print *, z
  call change(z=z(2:), n=1)
  print *, z(2), kept
  print *, also
  y = [(0.1_16 * i, i = 1, 10)]
  print *, many(y(1), y(2), y(3), y(4), y(5), y(6), y(7), y(8), y(9), y(10))
contains
  real(16) function twice(x)
    real(16), intent(in) :: x
    twice = 2 * x
  end function
end program
