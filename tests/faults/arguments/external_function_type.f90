! told at 3:11: 'f' is declared as REAL(4) here, but is a function of INTEGER(4)
program fault
  real :: f
  external f
  print *, f(1)
end program
integer function f(n)
  integer :: n
  f = n
end function
