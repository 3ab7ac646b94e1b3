! Elements by an index
! check 9.158314999401569E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
  integer :: k(n)
contains
  subroutine setup()
    call fill(b, n)
    call shuffle(k, n)
  end subroutine

  subroutine run()
    call gather(a, b, k, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine gather(a, b, k, n)
    integer :: n, i, k(n)
    real(8) :: a(n), b(n)
    do i = 1, n
      a(i) = b(k(i)) * 2
    end do
  end subroutine
end module
