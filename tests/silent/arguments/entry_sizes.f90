! Arrays that are as long as ENTRY names want them; bounds of arguments that the name does not have say nothing.
program right
  real :: a(3), b(6)
  character(2) :: c(4)
  a = 1
  b = 2
  c = 'ab'
  call one(a, 3)
  call two(b(2), 5)
  call three(a, b)
  call four(c, 2)
  print *, sum_of(a, 2)
  print *, a, b, c
contains
  integer function sum_of(x, n)
    integer :: n
    real :: x(*)
    sum_of = int(sum(x(:n)))
  end function
end program
subroutine one(x, n)
  integer :: n, m
  real :: x(n), y(m), z(n)
  character(m) :: c(m)
  x(n) = 1
  return
entry two(y, m)
  y(m) = 1
  return
entry three(x, z)
  return
entry four(c, m)
  c(m) = 'z'
end subroutine
