! Calls of a procedure of a few instructions in another file. The argument makes it so many times as long.
program leaf_calls
  implicit none
  integer :: scale
  character(8) :: word
  integer :: i
  real(8) :: s
  real(8), external :: axpb
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  s = 0d0
  do i = 1, 20000000 * scale
    s = s + axpb(s, 0.5d0)
    s = s * 0.25d0
  end do
  print *, s > 0d0
end program
