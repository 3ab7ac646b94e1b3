! Block tridiagonal systems with blocks of 5 by 5, as in the solvers of NAS BT and LU.
program sweeps
  implicit none
  integer :: scale
  character(8) :: word
  integer, parameter :: n = 400, m = 5
  real(8) :: a(m, m, n), b(m, m, n), c(m, m, n), r(m, n)
  integer :: i, j, k, it
  real(8) :: s
  scale = 1
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) scale
  s = 0d0
  do it = 1, 250 * scale
    do k = 1, n
      do j = 1, m
        r(j, k) = 1d0 + mod(j + k, 7)
        do i = 1, m
          a(i, j, k) = -0.1d0 / (i + j)
          c(i, j, k) = -0.1d0 / (i + j + 1)
          b(i, j, k) = 0.05d0 * mod(i * j + k, 5)
          if (i == j) b(i, j, k) = 4d0 + 0.01d0 * i
        end do
      end do
    end do
    call thomas(a, b, c, r, n)
    s = s + r(1, 1) + r(m, n)
  end do
  print '(f16.8)', s
end program

subroutine thomas(a, b, c, r, n)
  implicit none
  integer, parameter :: m = 5
  integer, intent(in) :: n
  real(8), intent(inout) :: a(m, m, n), b(m, m, n), c(m, m, n), r(m, n)
  integer :: k
  call binvcrhs(b(1, 1, 1), c(1, 1, 1), r(1, 1))
  do k = 2, n
    call matvec_sub(a(1, 1, k), r(1, k - 1), r(1, k))
    call matmul_sub(a(1, 1, k), c(1, 1, k - 1), b(1, 1, k))
    call binvcrhs(b(1, 1, k), c(1, 1, k), r(1, k))
  end do
  do k = n - 1, 1, -1
    call matvec_sub(c(1, 1, k), r(1, k + 1), r(1, k))
  end do
end subroutine
