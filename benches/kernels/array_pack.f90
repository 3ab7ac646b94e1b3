! PACK and UNPACK
! check 2.489644745707512E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 500
  real(8) :: a(n), b(n)
  integer :: k
contains
  subroutine setup()
    call fill(a, n)
    b = 0
  end subroutine

  subroutine run()
    k = count(a > 0.5d0)
    b(1:k) = pack(a, a > 0.5d0)
    b = unpack(b(1:k), a > 0.5d0, a)
  end subroutine

  real(8) function check()
    check = total(b, n) + k
  end function
end module
