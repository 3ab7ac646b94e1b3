! Conditionals in a loop that runs in vectors.
program life
  implicit none
  integer, parameter :: n = 256
  integer :: g(0:n + 1, 0:n + 1), h(n, n), i, j, it, scale
  character(8) :: word
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do j = 1, n
    do i = 1, n
      g(i, j) = merge(1, 0, mod(i*7 + j*13 + i*j, 3) == 0)
    end do
  end do
  do it = 1, 600*scale
    g(0, :) = g(n, :)
    g(n + 1, :) = g(1, :)
    g(:, 0) = g(:, n)
    g(:, n + 1) = g(:, 1)
    call next(g, h, n)
    g(1:n, 1:n) = h
  end do
  print *, sum(h)
end program
