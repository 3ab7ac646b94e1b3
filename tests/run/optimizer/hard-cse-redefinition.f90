! Expressions that look common but have an operand redefined between.
program hard_cse_redefinition
  implicit none
  integer :: a, b, c, d, v(4), i, j
  a = 3
  b = 4
  c = a * b + 1
  a = a + 1
  d = a * b + 1
  print *, c, d
  v = (/ 1, 2, 3, 4 /)
  i = 2
  j = 2
  c = v(i) + v(j)
  v(j) = 10
  d = v(i) + v(j)
  print *, c, d
  c = v(i) * 2
  i = i + 1
  d = v(i) * 2
  print *, c, d
  do i = 1, 3
    c = a * i + b
    if (mod(i, 2) == 0) b = b + 1
    d = a * i + b
    v(i) = c - d
  end do
  print *, v
  c = a + b
  call change(a)
  d = a + b
  print *, c, d
  c = a - b
  if (c > 100) b = 0
  d = a - b
  print *, c, d
contains
  subroutine change(x)
    integer, intent(inout) :: x
    x = x * 2
    b = b - 1
  end subroutine change
end program
