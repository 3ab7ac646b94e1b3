! Reductions along the first dimension, which is distributed, of arrays whose extents are known at run time only, and of sections of them.
program least_extents
  implicit none
  integer, parameter :: steps = 5
  real(8), allocatable :: a(:, :), s(:), q(:)
  integer, allocatable :: c(:), m(:)
  integer :: n, i, j, k
!HPF$ DISTRIBUTE a(BLOCK, *)
  n = 64
  allocate (a(n, n), s(n), q(n), c(n), m(n))
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9) / 8d0
    end do
  end do
  do k = 1, steps
    a(:, :) = a + 0.125d0
    call columns(a, n, s, c)
    q = 0
    do j = 1, n
      do i = 1, n
        q(j) = q(j) + a(i, j)
      end do
    end do
    m(2:n - 1) = maxloc(a(2:n - 1, n - 1:2:-1), dim=1)
  end do
  print '(4es24.16)', s(3), s(60), q(3), q(60)
  print '(4i5)', c(3), c(60), m(3), m(60)
contains
  subroutine columns(b, n, s, c)
    integer, intent(in) :: n
    real(8), intent(in) :: b(n, n)
    real(8), intent(out) :: s(n)
    integer, intent(out) :: c(n)
!HPF$ DISTRIBUTE b(BLOCK, *)
    s = sum(b, dim=1)
    c = count(b > 0.5d0, dim=1)
  end subroutine
end program
