! Products of complex numbers
! check 6.890905888704879E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 500
  complex(8) :: a(n), b(n), c(n)
contains
  subroutine setup()
    real(8) :: t(2 * n)
    call fill(t, 2 * n)
    a = cmplx(t(1:n), t(n + 1:2 * n), 8)
    b = cmplx(t(n + 1:2 * n), -t(1:n), 8)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      c(i) = a(i) * b(i) + a(i)
    end do
  end subroutine

  real(8) function check()
    check = total(real(c, 8), n) + total(aimag(c), n)
  end function
end module
