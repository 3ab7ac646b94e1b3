! Calls of external procedures that do not agree with their definition or with each other.
subroutine known(x, n)
  real :: x(4)
  integer :: n
  x = n
end subroutine
program calls_differ
  implicit none
  external :: known, other, third
  real :: a(4), b(2), c
  integer :: i
  character(len=3) :: s(2)
  call known(a, 1)
  call known(a, 1.0)
  call known(i, 1)
  call known(b, 1)
  call known(c, 1)
  call known(a(2), 1)
  call other(1, 'a')
  call other(1.0, 'b')
  call other(2, 3)
  call other(4)
  call third(a)
  call third(a(1))
  call third(1.0)
  call third(b)
  call inner(s)
contains
  subroutine inner(t)
    character(len=4) :: t(2)
    print *, t
  end subroutine
end program
