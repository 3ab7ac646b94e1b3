! A sparse matrix in rows of different lengths, times a vector.
program sparse
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 2000
  integer :: first(n + 1), column(12 * n), i, k, t
  real(8) :: value(12 * n), x(n), y(n)
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  first(1) = 1
  do i = 1, n
    first(i + 1) = first(i) + 3 + mod(i * 7, 9)
    do k = first(i), first(i + 1) - 1
      column(k) = mod(i * 31 + k * 17, n) + 1
      value(k) = 1d0 / (first(i + 1) - first(i))
    end do
    x(i) = mod(i, 13)
  end do
  do t = 1, 2400 * scale
    call multiply(first, column, value, x, y, n)
    x = y
  end do
  print '(f12.6)', sum(x)
end program
