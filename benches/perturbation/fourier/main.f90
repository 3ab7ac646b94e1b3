! A fast Fourier transform of 1024 points.
program fourier
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 1024
  complex(8) :: x(n)
  integer :: i, k
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do i = 1, n
    x(i) = cmplx(mod(i, 17), mod(i, 5), 8)
  end do
  do k = 1, 240 * scale
    call transform(x, n, 1d0)
    call transform(x, n, -1d0)
    x = x / n
  end do
  print '(2f12.5)', sum(x)
end program
