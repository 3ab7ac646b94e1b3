! BOZ constants with more bits than any number.
program main
  real :: x
  integer :: k
  k = 1
  x = transfer(int(z'7f89999999999999999999900000'), 1.0)
  x = real(z'7f89999999999999999999900000')
  k = ior(int(z'7f89999999999999999999900000'), k)
end program
