! Loops of ten iterations
! check 3.373882002061605E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 10, m = 300
  real(8) :: a(n, m), b(n, m)
contains
  subroutine setup()
    call fill(b, n * m)
  end subroutine

  subroutine run()
    integer :: j
    do j = 1, m
      call row(a(1, j), b(1, j), n, 0.5d0)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n * m)
  end function

  subroutine row(a, b, n, s)
    integer :: n, i
    real(8) :: a(n), b(n), s
    do i = 1, n
      a(i) = b(i) * s + 1
    end do
  end subroutine
end module
