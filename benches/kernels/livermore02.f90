! Livermore 2, incomplete Cholesky and conjugate gradient
! check 2.247628751227935E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 512
  real(8) :: x(2 * n + 2), x0(2 * n + 2), v(2 * n + 2)
contains
  subroutine setup()
    call fill(x0, 2 * n + 2)
    call fill(v, 2 * n + 2)
  end subroutine

  subroutine run()
    integer :: ii, ipnt, ipntp, i, k
    x = x0
    ii = n
    ipntp = 0
    do
      ipnt = ipntp
      ipntp = ipntp + ii
      ii = ii / 2
      i = ipntp + 1
      do k = ipnt + 2, ipntp, 2
        i = i + 1
        x(i) = x(k) - v(k) * x(k - 1) - v(k + 1) * x(k + 1)
      end do
      if (ii <= 1) exit
    end do
  end subroutine

  real(8) function check()
    check = total(x, 2 * n + 2)
  end function
end module
