! Livermore 3, inner product
! check 2.501105527400578E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), z(n), q
contains
  subroutine setup()
    call fill(x, n)
    call fill(z, n)
  end subroutine

  subroutine run()
    integer :: k
    q = 0
    do k = 1, n
      q = q + z(k) * x(k)
    end do
  end subroutine

  real(8) function check()
    check = q
  end function
end module
