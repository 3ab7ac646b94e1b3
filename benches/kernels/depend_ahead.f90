! Elements are read before they are written
! check 9.111644222408533E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), a0(n)
contains
  subroutine setup()
    call fill(a0, n)
    call fill(b, n)
  end subroutine

  subroutine run()
    a = a0
    call ahead(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine ahead(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(n)
    do i = 1, n - 1
      a(i) = a(i + 1) + b(i)
    end do
  end subroutine
end module
