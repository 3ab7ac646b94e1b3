! A nest whose inner loop goes along rows
! check 7.183077426085472E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 200
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    call rows(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function

  subroutine rows(a, b, n)
    integer :: n, i, j
    real(8) :: a(n, n), b(n, n)
    do i = 1, n
      do j = 1, n
        a(i, j) = b(i, j) * 2 + 1
      end do
    end do
  end subroutine
end module
