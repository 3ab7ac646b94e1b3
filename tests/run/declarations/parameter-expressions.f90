! Constant expressions with intrinsics in declarations and as case values.
program parameter_expressions
  implicit none
  integer, parameter :: n = 10, half = n / 2, m = max(n, 3) + mod(n, 4)
  integer, parameter :: bits = ishft(1, 5) + iand(12, 10), k = len('hello') + ichar('a')
  integer, parameter :: list(half) = (/ n * n, n + 1, m, bits, k /)
  double precision, parameter :: x = sqrt(2.25d0) + abs(-1.0d0) * 2 ** 3
  character(len=*), parameter :: s = 'ab' // repeat('c', 2)
  logical, parameter :: l = n > 5 .and. .not. half == 4
  integer :: v(half:m), w(size(list), len(s))
  print *, n, half, m, bits, k, list
  print *, x, s, len(s), l, lbound(v), ubound(v), shape(w)
  select case (half)
  case (n / 2)
    print *, 'half'
  case (n)
    print *, 'n'
  end select
end program
