! Bits counted by shifts
! check 4.059000000000000E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 500
  integer :: a(n), c
contains
  subroutine setup()
    call fill_integers(a, n, 100000)
  end subroutine

  subroutine run()
    integer :: i, w
    c = 0
    do i = 1, n
      w = a(i)
      do while (w /= 0)
        c = c + iand(w, 1)
        w = ishft(w, -1)
      end do
    end do
  end subroutine

  real(8) function check()
    check = c
  end function
end module
