! Steps of conjugate gradients for a five-point stencil
! check 6.793975173109560E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 40
  real(8), dimension(0:n+1, 0:n+1) :: x, r, p, q, b
contains
  subroutine setup()
    call fill(b, (n + 2) ** 2)
  end subroutine

  subroutine run()
    integer :: i, j, it
    real(8) :: rr, pq, alpha, beta, old
    x = 0
    p = 0
    q = 0
    r = 0
    r(1:n, 1:n) = b(1:n, 1:n)
    p = r
    rr = sum(r * r)
    do it = 1, 5
      do j = 1, n
        do i = 1, n
          q(i, j) = 5 * p(i, j) - p(i - 1, j) - p(i + 1, j) - p(i, j - 1) - p(i, j + 1)
        end do
      end do
      pq = sum(p * q)
      alpha = rr / pq
      x = x + alpha * p
      r = r - alpha * q
      old = rr
      rr = sum(r * r)
      beta = rr / old
      p = r + beta * p
    end do
  end subroutine

  real(8) function check()
    check = total(x, (n + 2) ** 2)
  end function
end module
