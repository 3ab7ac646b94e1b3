! An inner product unrolled five times in the source
! check 2.501105527400578E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), s
contains
  subroutine setup()
    call fill(a, n)
    call fill(b, n)
  end subroutine

  subroutine run()
    integer :: i
    s = 0
    do i = 1, n, 5
      s = s + a(i) * b(i) + a(i + 1) * b(i + 1) + a(i + 2) * b(i + 2) + a(i + 3) * b(i + 3) + a(i + 4) * b(i + 4)
    end do
  end subroutine

  real(8) function check()
    check = s
  end function
end module
