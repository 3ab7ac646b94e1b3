! Exponentiation: integer powers of all signs, precedence, real powers.
program num_power
  implicit none
  integer :: i, n
  double precision :: x
  print *, 2 ** 10, (-2) ** 3, -2 ** 2, 2 ** (-1), 1 ** (-5), (-1) ** (-3), 0 ** 0
  print *, 2 ** 3 ** 2, (2 ** 3) ** 2, 2 * 3 ** 2, -3 ** 2 * 2
  x = 1.5d0
  do n = -3, 3
    print *, n, x ** n, 2 ** n, (-1) ** n
  end do
  print *, 4.0d0 ** 0.5d0, 2.0d0 ** 3.0d0, 10.0 ** 2, 0.5 ** 2
  i = 3
  print *, i ** 2, i ** 3, 2.0d0 ** i, 7_8 ** 12
end program
