! Kind suffixes, exponents, and the precision of real literals.
program kinds_literals
  implicit none
  double precision :: d
  real :: r
  d = 0.1
  print *, d
  d = 0.1d0
  print *, d
  d = 0.1_8
  print *, d
  r = 0.1d0
  print *, r
  d = 1.e3 + 1d-3 + .5 + 2.
  print *, d
  print *, 1_8 * 3000000000_8, 1e10, 1d100, 3_2, 1.5e+2, 1.5D-2
  print *, 16777217.0, 16777217.0d0
end program
