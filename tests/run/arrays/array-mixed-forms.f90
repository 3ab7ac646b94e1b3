! more array features: allocatable functions args, negative strides, zero size, nested implied do, mask expressions
program p
  implicit none
  integer :: a(10), b(5), i, j, c(3,4), k(0)
  a = [(i, i=1,10)]
  b = a(10:1:-2)
  print *, b, a(::3), size(a(5:4)), sum(a(2:1)), size(k), maxval(k)
  c = reshape(a, [3,4], pad=[0])
  print *, c(:, 4:1:-1)
  print *, c(2, :), c(::2, 2), minval(c, 2), maxval(c, 1, c < 9)
  a(2:10) = a(1:9)
  print *, a
  a(1:9) = a(2:10)*2
  print *, a
  print *, [((i*j, i=1,3), j=1,2)], [(c(i, i), i=1,3)]
  print *, reshape([(i, i=1,24)], [2,3,4], order=[3,2,1])
  print *, all(c == c), any(c > 100), count(mod(c, 2) == 0, 1), product(b)
  print *, matmul(c, transpose(c)), dot_product(b, b)
  print *, merge(a, -a, mod(a, 4) == 0), cshift(b, 2), eoshift(b, -1)
  call modify(a(::2))
  print *, a
  call whole(c)
  print *, c
contains
  subroutine modify(x)
    integer, intent(inout) :: x(:)
    x = x + 100
    x(size(x)) = 0
  end subroutine
  subroutine whole(x)
    integer, intent(inout) :: x(:, 0:)
    print *, lbound(x), ubound(x), size(x, 2)
    x(:, 0) = -1
  end subroutine
end program
