! Calls everything in procedures.f90.
program calls
  type point
    sequence
    integer :: k
    real(8) :: x
    character(2) :: s
  end type
  interface
    integer function c_sum(n, v, x) bind(c, name='c_sum')
      use iso_c_binding
      integer(c_int), value :: n
      integer(c_int) :: v(*)
      real(c_double), value :: x
    end function
  end interface
  type(point) :: p = point(1, 2.5d0, 'no')
  integer(1) :: i1 = 1
  integer(2) :: i2 = 2, v(3, 2) = reshape([1_2, 2_2, 3_2, 4_2, 5_2, 6_2], [3, 2])
  integer(4) :: i4 = 4
  integer(8) :: i8 = 8
  real(4) :: r4 = 1.5
  real(8) :: r8 = 2.5d0, x
  complex(4) :: c4 = (1.0, 2.0)
  complex(8) :: c8 = (3d0, 4d0)
  logical(1) :: l1 = .false.
  logical(4) :: l4 = .true.
  logical(8) :: l8 = .false.
  complex, external :: half
  complex(8), external :: twice
  logical(1), external :: less
  integer(8), external :: total
  character(12), external :: greeting
  character(4), external :: four
  real, external :: applied, square
  external :: shout
  character(6) :: a(2) = ['uvwxyz', 'UVWXYZ'], c = 'tail'
  character(5) :: s
  integer :: m, i
  common /shared/ x, m, s
  common n(3)
  call numbers(i1, i2, i4, i8, r4, r8, c4, c8, l1, l4, l8)
  print *, i1, i2, i4, i8, r4, r8, c4, c8, l1, l4, l8
  print *, half(c4), twice(c8), less(1.0, 2.0), less(2.0, 1.0), total(v, 3)
  print *, greeting('you', 2), '|', four(), '|'
  call strings(a, 2, 'pre', c)
  print *, a, c
  do i = 0, 2
    call choose(i, *10, *20)
    print *, 'straight'
    cycle
10  print *, 'first'
    cycle
20  print *, 'second'
  end do
  x = 1.25d0
  m = 5
  s = ''
  n = 0
  call common_changed(7)
  print *, x, m, s, n
  r4 = applied(square, 3.0, shout)
  print *, r4
  print *, c_sum(3, [1, 2, 3, 4], 10.9d0)
  call entries(i)
  call entries2(m)
  print *, i, m
  call structure(p)
  print *, p
end program
real function square(x)
  real :: x
  square = x * x
end function
subroutine shout(x, t)
  real :: x
  character(*) :: t
  print *, x, t, len(t)
end subroutine
