! Systems with a triangular matrix, by rows.
program triangle
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 40
  real(8) :: a(n, n), b(n), s
  integer :: i, j, k
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  do j = 1, n
    do i = 1, n
      a(i, j) = 0.01d0 * mod(i * j, 11)
    end do
    a(j, j) = 2d0
  end do
  s = 0d0
  do k = 1, 36000 * scale
    do i = 1, n
      b(i) = i
    end do
    call forward(a, b, n)
    s = s + b(n)
  end do
  print '(f16.6)', s
end program
