! bit manipulation, prime sieve, gcd, collatz, integer kinds
program p
  use iso_fortran_env, only: int64, int8
  implicit none
  integer, parameter :: n = 50
  logical :: prime(n) = .true.
  integer :: i, j
  integer(int64) :: x, steps
  integer(int8) :: b
  prime(1) = .false.
  do i = 2, int(sqrt(real(n)))
    if (prime(i)) prime(i*i:n:i) = .false.
  end do
  print '(*(i0, 1x))', pack([(i, i=1,n)], prime)
  print *, gcd(48, 36), gcd(17, 5), lcm(4, 6)
  x = 27; steps = 0
  do while (x /= 1)
    if (btest(x, 0)) then
      x = 3*x + 1
    else
      x = ishft(x, -1)
    end if
    steps = steps + 1
  end do
  print *, steps
  b = 127_int8
  print *, b, not(b), ibits(b, 2, 3)
  print '(b8.8, 1x, o4, 1x, z4.4)', 170, 63, 48879
  associate (half => n/2)
    print *, count(prime(:half)), count(prime(half+1:))
  end associate
contains
  pure recursive integer function gcd(a, b) result(g)
    integer, intent(in) :: a, b
    if (b == 0) then
      g = a
    else
      g = gcd(b, mod(a, b))
    end if
  end function
  pure integer function lcm(a, b)
    integer, intent(in) :: a, b
    lcm = a/gcd(a, b)*b
  end function
end program
