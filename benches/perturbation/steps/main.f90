! Waves in shallow water, step by step: loops of different lengths, boundary conditions, conditionals that rarely hold.
program waves
  implicit none
  integer, parameter :: n = 96
  real(8) :: h(0:n+1, 0:n+1), u(0:n+1, 0:n+1), v(0:n+1, 0:n+1)
  real(8) :: energy, limit
  integer :: scale, step, wet
  character(8) :: word
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  call begin(h, u, v, n)
  limit = 0d0
  do step = 1, 4000 * scale
    call edges(h, u, v, n)
    call advance(h, u, v, n, 0.05d0)
    if (mod(step, 10) == 0) then
      call measure(h, u, v, n, energy, wet)
      limit = max(limit, energy)
      if (wet < n) exit
    end if
  end do
  print '(f12.4,i8)', limit, wet
end program

subroutine begin(h, u, v, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: h(0:n+1, 0:n+1), u(0:n+1, 0:n+1), v(0:n+1, 0:n+1)
  integer :: i, j
  do j = 0, n + 1
    do i = 0, n + 1
      h(i, j) = 1d0
      if ((i - n / 2)**2 + (j - n / 3)**2 < n) h(i, j) = 1.2d0
      u(i, j) = 0d0
      v(i, j) = 0d0
    end do
  end do
end subroutine
