! A machine with 16 instructions: SELECT CASE in a loop.
program machine
  implicit none
  integer, parameter :: m = 64
  integer :: code(m), i, acc, scale
  character(8) :: word
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do i = 1, m
    code(i) = mod(i*i + 3*i, 16)
  end do
  call interpret(code, m, 12000000*scale, acc)
  print *, acc
end program
