! A loop whose halves differ
! check 2.037513735333085E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    call halves(a, b, n, n / 2)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine halves(a, b, n, m)
    integer :: n, m, i
    real(8) :: a(n), b(n)
    do i = 1, n
      if (i < m) then
        a(i) = b(i) * 2
      else
        a(i) = b(i) + 3
      end if
    end do
  end subroutine
end module
