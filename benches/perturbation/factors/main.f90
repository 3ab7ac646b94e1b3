! A matrix factored into triangles, with pivots, and the system solved.
program factors
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 60
  real(8) :: a(n, n), b(n), s
  integer :: pivot(n), i, j, k
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  s = 0d0
  do k = 1, 600 * scale
    do j = 1, n
      do i = 1, n
        a(i, j) = mod(i * 7 + j * 13 + i * j + k, 23) - 11
      end do
      a(j, j) = a(j, j) + 40
      b(j) = j
    end do
    call factor(a, pivot, n)
    call solve(a, pivot, b, n)
    s = s + b(1)
  end do
  print '(f14.8)', s
end program
