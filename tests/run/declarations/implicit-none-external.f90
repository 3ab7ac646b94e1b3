! Under IMPLICIT NONE a function declared EXTERNAL needs its type too.
program implicit_none_external
  implicit none
  integer, external :: twice
  real :: half
  external half
  print *, twice(21), half(5)
end program
integer function twice(n)
  integer n
  twice = 2 * n
end function
function half(n)
  real half
  integer, intent(in) :: n
  half = n / 2.0
end function
