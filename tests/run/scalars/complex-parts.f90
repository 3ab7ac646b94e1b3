! The parts %re and %im as values and as variables, %kind and %len
program p
  implicit none (type, external)
  complex :: z, w(3)
  complex(8), target :: v(2, 2)
  complex, parameter :: c = (1., 2.), d = (3., 4.)
  real, parameter :: r = c%re, im = d%im
  real(8), pointer :: part(:)
  character(7) :: s = 'abcdefg'
  integer, parameter :: k = z%kind, n = s%len
  type t
    complex :: q = (1., 1.)
  end type
  type(t) :: x
  integer :: i
  print *, r, im, k, n, v%kind, s%len
  z = (1., 2.)
  z%re = 5.
  z%im = z%im + 1.
  print *, z, z%re, z%im
  w = [(cmplx(i, -i), i = 1, 3)]
  w%re = w%re * 2
  w(2)%im = 7.
  print *, w
  print *, w%im, sum(w%re)
  v = (0d0, 0d0)
  v(:, 2)%im = [1d0, 2d0]
  part => v(1, :)%im
  part(1) = 9d0
  print *, v
  x%q%im = 4.
  print *, x%q, x%q%im
  call change(z%re)
  call change(w(3)%im)
  print *, z, w(3)
contains
  subroutine change(a)
    real, intent(inout) :: a
    a = a + 100.
  end subroutine
end program
