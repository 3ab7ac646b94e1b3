! Calls of small procedures, with little work in each.
program calls
  implicit none
  integer :: scale
  character(8) :: word
  integer :: i
  real(8) :: s
  common /sums/ s
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  s = 0d0
  do i = 1, 3000000 * scale
    call step(i)
  end do
  print *, s > 0d0
end program
