! Conversions, powers, comparisons, short circuit with a call on the right.
subroutine assign(x, n)
  real(8) :: x
  integer :: n, i
  logical :: flag, ask
  external ask
  i = 3 * n - 1
  x = i / 2 + 0.5
  x = x**2 + x**0.5d0 + 2**n
  flag = n > 0 .and. x < 1.0
  if (n > 0 .and. ask(n)) i = -i
  if (flag .or. .not. ask(i)) x = -x
end subroutine
