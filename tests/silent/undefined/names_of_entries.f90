! Each name of a procedure with ENTRY uses its own arguments only; a local variable is set on each way.
program right
  real :: a(4) = 1.0
  integer :: n
  call one(n)
  call two(a, 4)
  call one(n)
  print *, n, a
end program
subroutine one(k)
  integer :: k, i, n, m
  real :: x(n)
  m = 3
  k = m + 1
  return
  entry two(x, n)
  m = n
  do i = 1, m
    x(i) = i
  end do
end subroutine
