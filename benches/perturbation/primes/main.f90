! The sieve of Eratosthenes.
program primes
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 20000
  logical :: is_prime(n)
  integer :: k, found, i
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  found = 0
  do k = 1, 600 * scale
    call sieve(is_prime, n)
    do i = 1, n
      if (is_prime(i)) found = found + 1
    end do
  end do
  print *, found
end program
