! Values looked up in a table by halving it, and between its points.
program table
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 300
  real(8) :: x(n), y(n), s
  real(8), external :: between
  integer :: i, k
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do i = 1, n
    x(i) = i + 0.3d0 * mod(i, 3)
    y(i) = 1d0 / i
  end do
  s = 0d0
  do k = 1, 900000 * scale
    s = s + between(x, y, n, 1d0 + mod(k * 37, 2990) * 0.1d0)
  end do
  print '(f16.6)', s
end program
