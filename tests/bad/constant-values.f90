! Operations of constants without a value, and values out of range.
program constant_values
  implicit none
  integer, parameter :: n = 31
  integer(1) :: small
  integer :: i
  real :: x
  real :: huge_value = 1d300
  character(3) :: c(2)
  i = 2**n
  i = 10**10
  i = huge(i) + 1
  i = (5 + 7)/(n - 31) + i
  x = 1.0/0.0
  x = 2.0e38*real(n)
  small = 200
  i = 3000000000_8
  x = 1d40
  i = int(3d10)
  i = mod(3, 0)
  x = sqrt(-1.0)
  x = log(0.0)
  x = asin(2.0)
  i = 0**(-1)
  print *, repeat('a', -1)
  print *, reshape([1, 2, 3, 4], [2, 2], order=[1, 1])
  if (1/0 > i) stop
  c = ['abc', 'de']
  ! Right ones:
  small = -128
  i = -2**30 - 2**30
  x = sqrt(2.0)/3.0 + 1e38
  c = [character(3) :: 'abc', 'de']
end program
