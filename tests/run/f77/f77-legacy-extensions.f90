! What old programs do beside the standard: .XOR., PARAMETER without parentheses, %LOC, LOC of an assumed-size array,
! an intrinsic function passed on that was only called before.
program legacy
  implicit none
  real pi
  integer n, m
  parameter pi = 3.5, n = 2
  integer(8) :: k
  real :: a(4) = [1., 2., 3., 4.], x
  logical :: p = .true., q = .false.
  print *, p .xor. q, p .xor. .true., pi * n
  k = %loc(m)
  print *, k == loc(m)
  call addresses(a)
  x = abs(-2.5)
  call apply(abs, -x)
contains
  subroutine addresses(b)
    real b(*)
    print *, loc(b) == loc(a), loc(b(3)) - loc(b)
  end subroutine
  subroutine apply(f, y)
    real f, y
    external f
    print *, f(y)
  end subroutine
end program
