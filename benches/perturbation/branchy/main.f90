! A loop whose iterations take one of three arms, as random numbers say.
program branchy
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 4096
  integer :: d(n), k, i, seed
  integer(8) :: s
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  seed = 12345
  do i = 1, n
    seed = iand(seed * 1103515245 + 12345, 2147483647)
    d(i) = iand(ishft(seed, -16), 255)
  end do
  s = 0
  do k = 1, 5000 * scale
    call arms(d, n, s)
  end do
  print *, s
end program
