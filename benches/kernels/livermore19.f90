! Livermore 19, general linear recurrence, forwards and backwards
! check 5.536556482689691E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 101
  real(8) :: sa(n), sb(n), b5(n)
contains
  subroutine setup()
    call fill(sa, n)
    call fill(sb, n)
  end subroutine

  subroutine run()
    integer :: k
    real(8) :: stb5
    stb5 = 0.1d0
    do k = 1, n
      b5(k) = sa(k) + stb5 * sb(k)
      stb5 = b5(k) - stb5
    end do
    do k = n, 1, -1
      b5(k) = sa(k) + stb5 * sb(k)
      stb5 = b5(k) - stb5
    end do
  end subroutine

  real(8) function check()
    check = total(b5, n)
  end function
end module
