! Cholesky decomposition
! check 2.324940911888630E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), a0(n, n)
contains
  subroutine setup()
    integer :: i
    call fill(a0, n * n)
    a0 = a0 + transpose(a0)
    do i = 1, n
      a0(i, i) = a0(i, i) + 2 * n
    end do
  end subroutine

  subroutine run()
    integer :: i, j, k
    a = a0
    do j = 1, n
      do k = 1, j - 1
        do i = j, n
          a(i, j) = a(i, j) - a(i, k) * a(j, k)
        end do
      end do
      a(j, j) = sqrt(a(j, j))
      do i = j + 1, n
        a(i, j) = a(i, j) / a(j, j)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
