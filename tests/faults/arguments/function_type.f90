! told at 3:11: type
program p
  real :: f
  print *, f(1)
end program
integer function f(k)
  integer :: k
  f = k
end function
