! LU decomposition with pivots
! check 2.590359897790408E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), a0(n, n)
  integer :: p(n)
contains
  subroutine setup()
    call fill(a0, n * n)
  end subroutine

  subroutine run()
    a = a0
    call factor(a, p, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n) + total_integers(p, n)
  end function

  subroutine factor(a, p, n)
    integer :: n, p(n), i, j, k, m
    real(8) :: a(n, n), t
    do k = 1, n - 1
      m = k
      do i = k + 1, n
        if (abs(a(i, k)) > abs(a(m, k))) m = i
      end do
      p(k) = m
      do j = 1, n
        t = a(k, j)
        a(k, j) = a(m, j)
        a(m, j) = t
      end do
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
    p(n) = n
  end subroutine
end module
