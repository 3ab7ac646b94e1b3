! Array constants: used whole, by element with a variable, and in bounds.
program parameter_array
  implicit none
  integer, parameter :: primes(5) = (/ 2, 3, 5, 7, 11 /)
  real, parameter :: table(2, 2) = reshape((/ 1.0, 2.0, 3.0, 4.0 /), (/ 2, 2 /))
  character(len=3), parameter :: days(3) = (/ 'mon', 'tue', 'wed' /)
  integer, parameter :: n = primes(3) + size(primes)
  integer :: a(n), i
  a = 1
  do i = 1, 5
    a(i) = primes(i) * primes(6 - i)
  end do
  print *, a
  print *, table(2, 1), table(1, 2), sum(table)
  do i = 3, 1, -1
    print *, days(i)
  end do
end program
