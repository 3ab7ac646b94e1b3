! Loops of procedures that stand inlined in a long main program, where values outlive calls and are used again later
program registers_of_loops
  implicit none
  integer, parameter :: n = 24
  real(8) :: a(n, n), b(n, n), scale, shift, total, part
  integer :: i, j, limit, round
  scale = 1.25d0
  shift = 0.5d0
  limit = 20
  total = 0
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * 7 + j * 3, 11) * 0.125d0
      b(i, j) = mod(i + j * 5, 13) * 0.0625d0
    end do
  end do
  do round = 1, 2
    call relax(a, n, scale)
    call product_of(a, n, part)
    total = total + part
    print '(f12.6)', total
    call relax(b, n, shift)
    call product_of(b, n, part)
    total = total + part * scale
    print '(f12.6)', total
    call mix(a, b, n, scale, shift, limit)
    call product_of(a, n, part)
    total = total + part * shift
    print '(f12.6, i5)', total, limit
  end do
  ! Loops of no and of one iteration, entered with the same values.
  call product_of(a, 2, part)
  print '(f12.6)', part
  call product_of(a, 3, part)
  print '(f12.6)', part * 1d6
  call relax(b, 3, scale)
  print '(4f12.6, i5)', b(2, 2), scale, shift, total, limit
contains
  subroutine relax(u, m, omega)
    integer, intent(in) :: m
    real(8), intent(inout) :: u(n, n)
    real(8), intent(in) :: omega
    integer :: i, j, sweep
    do sweep = 1, 3
      do j = 2, m - 1
        do i = 2, m - 1
          u(i, j) = u(i, j) + omega * (0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)) - u(i, j))
        end do
      end do
    end do
  end subroutine

  subroutine product_of(u, m, r)
    integer, intent(in) :: m
    real(8), intent(in) :: u(n, n)
    real(8), intent(out) :: r
    integer :: i, j
    r = 0
    do j = 2, m - 1
      do i = 2, m - 1
        r = r + u(i, j) * u(i - 1, j) * 1d-2
      end do
    end do
  end subroutine

  subroutine mix(u, v, m, p, q, most)
    integer, intent(in) :: m, most
    real(8), intent(inout) :: u(n, n), v(n, n)
    real(8), intent(in) :: p, q
    integer :: i, j
    real(8) :: x
    do j = 2, m - 1
      do i = 2, m - 1
        x = p * u(i, j) + q * v(i - 1, j)
        if (i + j > most) x = x * 0.25d0
        v(i, j) = x * 0.5d0 + v(i, j - 1) * 0.125d0
      end do
    end do
  end subroutine
end program
