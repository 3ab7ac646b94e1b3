! Products of matrices of three rows.
program matrices
  implicit none
  integer :: scale
  character(8) :: word
  real(8) :: a(3, 3), b(3, 3), c(3, 3)
  integer :: k
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  a = reshape([1d0, 0.5d0, 0.25d0, 0.1d0, 1d0, 0.2d0, 0.3d0, 0.4d0, 1d0], [3, 3])
  b = a
  do k = 1, 400000 * scale
    call product3(a, b, c)
    call scaled(c, 3, 10d0)
    b = c
  end do
  print '(f14.8)', b(2, 2)
end program
