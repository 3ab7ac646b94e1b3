! Greatest common divisors, digits, primes, modular powers: integer loops.
program num_integer_arithmetic
  implicit none
  integer :: i, n, digits_sum, reversed
  integer(kind=8) :: power, base
  n = 987654321
  digits_sum = 0
  reversed = 0
  do while (n > 0)
    digits_sum = digits_sum + mod(n, 10)
    if (reversed < 100000000) reversed = reversed * 10 + mod(n, 10)
    n = n / 10
  end do
  print *, digits_sum, reversed
  power = 1
  base = 3
  n = 1000003
  do while (n > 0)
    if (mod(n, 2) == 1) power = mod(power * base, 1000000007_8)
    base = mod(base * base, 1000000007_8)
    n = n / 2
  end do
  print *, power, base
  n = 0
  do i = 1, 5000
    if (mod(i, 3) == 0 .or. mod(i, 5) == 0 .and. mod(i, 7) /= 0) n = n + i
  end do
  print *, n
end program
