! Intrinsic procedures with wrong numbers, types and ranks of arguments.
program intrinsic_arguments
  implicit none
  integer :: i, a(3), m(2, 2)
  double precision :: d
  character(len=3) :: s
  d = sqrt(d, d)
  d = sqrt(s)
  i = mod(1)
  i = mod(1, 2.0d0)
  i = max(1)
  i = max(1, s)
  i = sum(i)
  a = sum(m, 3)
  i = len(i)
  m = matmul(a, m)
  m = transpose(a)
  i = dot_product(a, m)
  i = ichar(3)
  a = reshape(m, i)
  i = count(a)
  i = iand(1, d)
  d = sin(i)
  a = cshift(i, 1)
  i = abs()
  i = size(a, dimension=1)
end program
