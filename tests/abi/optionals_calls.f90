! Calls of the procedures of tests/abi/optionals.f90.
program calls
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    real(c_double) function weighed(a, b, c, d, e, f, g, z, h, v) bind(c)
      import
      real(c_double), value :: a, b, c, d, e, f, g, h
      complex(c_double_complex), value :: z
      real(c_double), optional :: v
    end function
    real(c_double) function light(a, b, c, d, e, f, g, z, y, v) bind(c)
      import
      real(c_float), value :: a, b, c, d, e, f, g
      complex(c_float_complex), value :: z, y
      real(c_double), optional :: v
    end function
    real(c_double) function ordered(v, i, j, k, l, m, n, z) bind(c)
      import
      integer(c_long), value :: i, j, k, l, m, n
      real(c_double), optional :: v
      complex(c_double_complex), value :: z
    end function
  end interface
  real(c_double) :: v = 0.5d0
  call show(weighed(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), 10d0))
  call show(weighed(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), 10d0, v))
  call show(light(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, (8.0, 9.0), (10.0, 11.0)))
  call show(light(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, (8.0, 9.0), (10.0, 11.0), v))
  call show(ordered(i=1_c_long, j=2_c_long, k=3_c_long, l=4_c_long, m=5_c_long, n=6_c_long, z=(7d0, 8d0)))
  call show(ordered(v, 1_c_long, 2_c_long, 3_c_long, 4_c_long, 5_c_long, 6_c_long, (7d0, 8d0)))
contains
  subroutine show(x)
    real(c_double), intent(in) :: x
    print '(f0.2)', x
  end subroutine
end program
