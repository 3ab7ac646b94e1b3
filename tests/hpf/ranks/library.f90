! HPF_LIBRARY with mapped arguments.
program lib
  use hpf_library
  integer, parameter :: n = 9
  integer :: a(n), b(n), i
  real :: x(n)
!HPF$ DISTRIBUTE (CYCLIC) :: a
!HPF$ DISTRIBUTE (BLOCK) :: b, x
  do i = 1, n
    a(i) = mod(5 * i, 7)
    x(i) = a(i) + 0.25 * i
  end do
  b = sum_prefix(a)
  print *, b, iall(a), parity(a > 3)
  b = grade_up(a, 1)
  print *, b
  do i = 1, n
    x(b(i)) = x(b(i)) + b(i)
  end do
  print '(9f7.2)', x, sum_suffix(x)
  print *, sum_scatter(a, b, mod(a, 3) + 1)
end program
