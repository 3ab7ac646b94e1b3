! Sorting by insertion and by heaps.
program sorting
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 1000
  integer :: a(n), i, k
  integer(8) :: s, seed
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  seed = 4711
  s = 0
  do k = 1, 240 * scale
    do i = 1, n
      seed = iand(seed * 1103515245 + 12345, 2147483647)
      a(i) = int(ishft(seed, -8))
    end do
    if (mod(k, 8) == 0) then
      call insertion(a, n)
    else
      call heap(a, n)
    end if
    s = s + a(1) + a(n / 2)
  end do
  print *, s
end program
