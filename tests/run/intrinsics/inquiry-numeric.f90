! Numeric inquiry and model functions.
program p
  implicit none
  real :: x
  real(8) :: y
  integer :: i
  integer, parameter :: ik = selected_int_kind(12), rk = selected_real_kind(10, 100)
  integer(ik) :: k
  real(rk) :: z
  x = 3.75; y = 0.1d0
  print *, digits(x), digits(y), digits(i), epsilon(x), tiny(x), huge(i)
  print *, maxexponent(x), minexponent(y), precision(x), precision(z), radix(x), range(x), range(k)
  print *, exponent(x), fraction(x), set_exponent(x, 3), scale(x, 2), nearest(x, 1.0), spacing(x), rrspacing(x)
  print *, ik, rk, selected_int_kind(40), selected_real_kind(50), kind(z), selected_real_kind(r=300), selected_char_kind('ASCII')
  print *, nint(2.5), nint(-2.5), floor(-1.5), ceiling(-1.5), aint(2.7), anint(2.5), modulo(-5, 3), mod(-5, 3)
  print *, sign(3, -2), sign(1.0, -0.0), dim(5, 3), dim(3.0, 5.0), floor(2.5d0, 8), nint(1d10, 8)
  print *, nearest(1d0, -1d0) < 1d0, spacing(1d0) == epsilon(1d0), int(3.9), int(-3.9_8, 8), real(7)/2
end program
