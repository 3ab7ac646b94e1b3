! Loops that are left early.
program searching
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 1000
  integer :: keys(n), i, k, at
  integer(8) :: s
  integer, external :: find
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do i = 1, n
    keys(i) = i * 3
  end do
  s = 0
  do k = 1, 60000 * scale
    at = find(keys, n, mod(k * 7, n) * 3 + 3)
    s = s + at
  end do
  print *, s
end program
