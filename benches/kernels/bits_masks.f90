! Masks and shifts of whole arrays
! check 4.769684713000000E+09
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), b(n), c(n)
contains
  subroutine setup()
    call fill_integers(a, n, 100000)
    call fill_integers(b, n, 100000)
  end subroutine

  subroutine run()
    c = ior(iand(a, 255), ishft(iand(b, 4095), 8))
  end subroutine

  real(8) function check()
    check = total_integers(c, n)
  end function
end module
