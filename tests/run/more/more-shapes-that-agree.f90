! Operands, assignments and arguments of one shape that only run time knows, with other bounds, or without elements.
program shapes
  implicit none
  integer :: i, n
  real, allocatable :: a(:), b(:), c(:, :)
  logical, allocatable :: l(:)
  n = 3
  allocate (a(0:n), b(-4:n - 4), c(n, 2), l(n + 1))
  a = [(real(i), i = 0, n)]
  b = a
  l = a > 1
  print *, a + b, a * b, max(a, b)
  where (l) a = b * 2
  print *, a, sum(a, mask=l), count(l .eqv. a > 2), minloc(b, l)
  c = reshape(a, [n, 2], pad=[9.0])
  print *, matmul(transpose(c), c), dot_product(a, b)
  print *, pack(a, l), unpack(a(0:count(l) - 1), l, b), merge(a, b, l)
  print *, spread(a(1:2), 2, n), cshift(a, -n), eoshift(a, n + 9), repeat('ab', n - 3), reshape(a, [0, n])
  a(0:n-1) = a(1:n)
  b = f(n + 1)
  print *, a, b
  a = [1.0, 2.0]
  b = a(1:0)
  print *, size(a), size(b), sum(b), size(a(1:0) + b)
  call add(a(1:2), c(1, :))
  call add(a(2:1), c(3:2, 1))
  print *, c
  print *, ishft(1, 32), ishft(1, -32), shiftl(1, n), ibits(-1, 30, 2), ibits(5, 32 - n, n), ishftc(5, n, n), btest(1, 31)
contains
  function f(n)
    integer, intent(in) :: n
    real :: f(n)
    f = 4
  end function
  elemental subroutine add(x, y)
    real, intent(in) :: x
    real, intent(inout) :: y
    y = y + x
  end subroutine
end program
