! Products of matrices in every order of loops, of every shape, transposed, with sides that are parts of others
module products
  implicit none
contains
  subroutine jki(a, b, c, m, n, l)
    integer, intent(in) :: m, n, l
    real(8), intent(in) :: a(m, l), b(l, n)
    real(8), intent(out) :: c(m, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, m
        c(i, j) = 0
      end do
      do k = 1, l
        do i = 1, m
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine ijk(a, b, c, m, n, l)
    integer, intent(in) :: m, n, l
    real(8), intent(in) :: a(l + 2, m), b(l, n)
    real(8), intent(inout) :: c(m, n)
    integer :: i, j, k
    do i = 1, m
      do j = 1, n
        do k = 1, l
          c(i, j) = b(k, j) * a(k + 2, i) + c(i, j)
        end do
      end do
    end do
  end subroutine

  subroutine kij(a, b, c, n)
    integer, intent(in) :: n
    real(4), intent(in) :: a(n, n), b(n, n)
    real(4), intent(inout) :: c(0:n + 1, n)
    integer :: i, j, k
    do k = 2, n
      do i = 1, n - 1
        do j = 1, n
          c(i, j) = c(i, j) + a(i + 1, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  ! The result is one of the sides.
  subroutine itself(a, n)
    integer, intent(in) :: n
    integer(4) :: i, j, k
    real(8), intent(inout) :: a(n, n)
    do j = 1, n
      do k = 1, n
        do i = 1, n
          a(i, j) = a(i, j) + a(i, k) * a(k, j) / 1024
        end do
      end do
    end do
  end subroutine

  subroutine fill(x, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n)
    integer :: i
    do i = 1, n
      x(i) = (mod(i * 37, 101) - 50) / 64d0 + i / 3d0
    end do
  end subroutine
end module

program main
  use products
  implicit none
  integer, parameter :: sizes(3, 8) = reshape([1, 1, 1, 3, 4, 5, 16, 16, 16, 33, 17, 40, &
                                               5, 90, 7, 70, 9, 130, 40, 40, 0, 8, 8, 300], [3, 8])
  real(8), allocatable :: a(:, :), b(:, :), c(:, :), d(:, :), e(:, :)
  real(4) :: p(30, 30), q(30, 30), r(0:31, 30)
  integer :: s, m, n, l
  do s = 1, 8
    m = sizes(1, s)
    n = sizes(2, s)
    l = sizes(3, s)
    allocate (a(m, l), b(l, n), c(m, n), d(l + 2, m), e(m, n))
    call fill(a, m * l)
    call fill(b, l * n)
    call fill(d, (l + 2) * m)
    call jki(a, b, c, m, n, l)
    e = c
    call ijk(d, b, c, m, n, l)
    print '(3i4, 3es24.16)', m, n, l, sum(e), sum(c), c(m, n)
    deallocate (a, b, c, d, e)
  end do
  allocate (a(50, 50), b(50, 50), c(20, 20), d(20, 20))
  call fill(a, 2500)
  call fill(b, 2500)
  c = matmul(a(11:30, 1:20), b(3:22, 31:50))
  d = matmul(transpose(a(1:20, 11:30)), b(3:22, 31:50))
  print '(2es20.12)', sum(c), sum(d)
  a = a / 1000
  call itself(a, 50)
  print '(es24.16)', sum(a)
  p = reshape([(s / 7.0, s = 1, 900)], [30, 30])
  q = reshape([(mod(s, 13) / 3.0, s = 1, 900)], [30, 30])
  r = 1
  call kij(p, q, r, 30)
  print '(3es16.8)', r(0, 1), r(29, 30), r(17, 4)
end program
