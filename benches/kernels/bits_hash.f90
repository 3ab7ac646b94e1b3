! A hash of words
! check 1.626714900000000E+07
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), h
contains
  subroutine setup()
    call fill_integers(a, n, 100000)
  end subroutine

  subroutine run()
    integer :: i
    h = 5381
    do i = 1, n
      h = iand(ieor(ishft(h, 5) + h, a(i)), 16777215)
    end do
  end subroutine

  real(8) function check()
    check = h
  end function
end module
