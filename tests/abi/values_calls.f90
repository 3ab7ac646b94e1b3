! Calls of the procedures of tests/abi/values.f90.
program calls
  use value_types
  implicit none
  interface
    real(8) function pair(a, b, c, d, e, f, g, z, h, v)
      real(8), value :: a, b, c, d, e, f, g, h
      complex(8), value :: z
      real(8) :: v(:)
    end function
    real(8) function single(a, b, c, d, e, f, g, z, y, v)
      real(4), value :: a, b, c, d, e, f, g
      complex(4), value :: z, y
      real(8), optional :: v
    end function
    real(8) function structures(v, i, j, k, l, w, n, x, y, z, t, u, s)
      import
      real(8) :: v(:)
      integer(8), value :: i, j, k, l, n
      type(words), value :: w
      real(8), value :: x, y, z
      type(triple), value :: t, u
      character(*) :: s
    end function
    real(8) function stacked(v, a, b, c, d, e, f, t, h, m, i)
      import
      real(8), value :: a, b, c, d, e, f, h
      real(8), optional :: v
      type(triple), value :: t
      type(large), value :: m
      integer, value :: i
    end function
    real(8) function flagged(a, b, c, d, e, f, g, z, o, v)
      real(8), value :: a, b, c, d, e, f, g
      complex(8), value :: z
      real(8), value, optional :: o
      real(8) :: v(:)
    end function
    function mixed_of(v) result(r)
      import
      real(8) :: v(:)
      type(mixed) :: r
    end function
    function triple_of(v, t) result(r)
      import
      real(8), optional :: v
      type(triple), value :: t
      type(triple) :: r
    end function
    function large_of(v, i, j, k, l, w) result(r)
      import
      real(8) :: v(:)
      integer(8), value :: i, j, k, l
      type(words), value :: w
      type(large) :: r
    end function
    function quads(v, i, j, k, l, w) result(r)
      import
      real(8) :: v(:)
      integer(8), value :: i, j, k, l
      type(words), value :: w
      complex(16) :: r
    end function
    function quads_of(i, j, k, l, w) result(r)
      import
      integer(8), value :: i, j, k, l
      type(words), value :: w
      complex(16) :: r
    end function
    function array_of(v, i, j, k, w) result(r)
      import
      real(8) :: v(:)
      integer(8), value :: i, j, k
      type(words), value :: w
      real(8) :: r(size(v))
    end function
    real(8) function through(p)
      import
      procedure(pair) :: p
    end function
  end interface
  procedure(pair), pointer :: p
  real(8) :: v(3) = [0.125d0, 0.25d0, 0.5d0], r
  type(words) :: w = words(3, 4)
  type(triple) :: t = triple(1.0, 2.0, 3.0), u = triple(4.0, 5.0, 6.0)
  type(large) :: m
  type(mixed) :: x
  complex(16) :: q
  m%n = [1, 2, 3, 4, 5]
  call show(pair(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), 10d0, v))
  p => pair
  call show(p(7d0, 6d0, 5d0, 4d0, 3d0, 2d0, 1d0, (8d0, 9d0), 10d0, v(::2)))
  call show(single(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, (8.0, 9.0), (10.0, 11.0)))
  call show(single(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, (8.0, 9.0), (10.0, 11.0), v(2)))
  call show(structures(v, 1_8, 2_8, 3_8, 4_8, w, 5_8, 1d0, 2d0, 3d0, t, u, 'seven'))
  call show(stacked(v(1), 1d0, 2d0, 3d0, 4d0, 5d0, 6d0, t, 7d0, m, 8))
  call show(stacked(a=1d0, b=2d0, c=3d0, d=4d0, e=5d0, f=6d0, t=u, h=7d0, m=m, i=8))
  call show(flagged(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), 10d0, v))
  call show(flagged(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, (8d0, 9d0), v=v))
  x = mixed_of(v)
  call show(x%k + 10 * x%x)
  t = triple_of(t=t)
  call show(real(t%x + 10 * t%y + 100 * t%z, 8))
  t = triple_of(v(3), t)
  call show(real(t%x + 10 * t%y + 100 * t%z, 8))
  m = large_of(v, 1_8, 2_8, 3_8, 4_8, w)
  call show(real(m%n(1) + 10 * m%n(3) + 100 * m%n(4) + 1000 * m%n(5), 8))
  q = quads(v, 1_8, 2_8, 3_8, 4_8, w)
  call show(real(q, 8))
  call show(real(aimag(q), 8))
  q = quads_of(1_8, 2_8, 3_8, 4_8, w)
  call show(real(q, 8))
  call show(real(aimag(q), 8))
  call show(sum(array_of(v, 1_8, 2_8, 3_8, w)))
  r = through(pair)
  call show(r)
contains
  subroutine show(x)
    real(8), intent(in) :: x
    print '(f0.3)', x
  end subroutine
end program
