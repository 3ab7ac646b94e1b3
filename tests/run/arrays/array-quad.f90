! Arrays of REAL(16) and COMPLEX(16): array syntax, reductions, transformations.
program array_quad
  implicit none
  integer, parameter :: q = 16
  real(q) :: a(4), g(2, 2), h(2, 2), b(100)
  complex(q) :: z(3)
  real(q), allocatable :: c(:)
  real(q), pointer :: p
  real(q), target :: t
  integer :: i
  a = [(i * 0.25_q, i = 1, 4)]
  print *, a, sum(a), product(a), maxval(a), minval(a), maxloc(a), minloc(a)
  print *, dot_product(a, a), sum(a, mask=a > 0.3_q), maxval(a, mask=a > 5), minval(a(1:0))
  g = reshape(a, [2, 2])
  h = matmul(g, transpose(g))
  print *, h, matmul(g, [1.0_q, 2.0_q]), sum(g, 1), maxval(g, 2)
  z = [(1, 2), (3, 4), (5, 6)]
  print *, sum(z), product(z), dot_product(z, z)
  c = [a, 7.0_q]
  print *, size(c), c
  t = 5
  p => t
  p = p + 1
  print *, t
  print *, count(a > 0.5_q), any(a == 0.25_q), merge(t, 0.0_q, t > 1), pack(a, a > 0.3_q)
  print *, cshift(a, 1), spread(a(1:2), 1, 2), eoshift(a, 1, 9.0_q)
  where (a > 0.5_q) a = -a
  print *, a
  forall (i = 1:4) a(i) = a(i) * i
  print *, a
  do i = 1, 100
    b(i) = 1.0_q / i
  end do
  b(2:99) = b(1:98) + b(3:100)
  print *, sum(b), b(50), findloc(b, b(7)), norm2([3.0_q, 4.0_q])
  print *, cumulative(b(1:5))
contains
  function cumulative(x) result(s)
    real(q), intent(in) :: x(:)
    real(q) :: s(size(x))
    integer :: k
    s(1) = x(1)
    do k = 2, size(x)
      s(k) = s(k - 1) + x(k)
    end do
  end function
end program
