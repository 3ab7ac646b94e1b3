! A wave on a staggered grid
! check 1.869034805552596E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8), dimension(0:n+1, 0:n+1) :: u, v, h, u0
contains
  subroutine setup()
    call fill(u0, (n + 2) ** 2)
  end subroutine

  subroutine run()
    u = u0
    v = u0
    h = 1
    call step(u, v, h, n)
  end subroutine

  real(8) function check()
    check = total(u, (n + 2) ** 2) + total(v, (n + 2) ** 2) + total(h, (n + 2) ** 2)
  end function

  subroutine step(u, v, h, n)
    integer :: n, i, j
    real(8), dimension(0:n+1, 0:n+1) :: u, v, h
    do j = 1, n
      do i = 1, n
        h(i, j) = h(i, j) - 0.1d0 * (u(i, j) - u(i - 1, j) + v(i, j) - v(i, j - 1))
      end do
    end do
    do j = 1, n
      do i = 1, n
        u(i, j) = u(i, j) - 0.1d0 * (h(i + 1, j) - h(i, j))
        v(i, j) = v(i, j) - 0.1d0 * (h(i, j + 1) - h(i, j))
      end do
    end do
  end subroutine
end module
