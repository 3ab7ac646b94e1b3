! Numbers of Fibonacci and the function of Ackermann, by recursion.
program recursion
  implicit none
  integer :: scale
  character(8) :: word
  integer, external :: fibonacci, ackermann
  integer :: k, s
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  s = 0
  do k = 1, 24 * scale
    s = s + mod(fibonacci(24 + mod(k, 2)) + ackermann(2, 200), 1000)
  end do
  print *, s
end program
