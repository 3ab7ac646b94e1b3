! One index through all of a nest
! check 6.490221285468340E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n * n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    call flat(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function

  subroutine flat(a, b, n)
    integer :: n, i, j, k
    real(8) :: a(n * n), b(n, n)
    k = 0
    do j = 1, n
      do i = 1, n
        k = k + 1
        a(k) = b(i, j) * 2 + 1
      end do
    end do
  end subroutine
end module
