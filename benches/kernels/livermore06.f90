! Livermore 6, general linear recurrence
! check 6.658016340875378E+00
module kernel
  use support
  implicit none
  integer, parameter :: n = 64
  real(8) :: w(n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
    b = b * 0.01d0
  end subroutine

  subroutine run()
    integer :: i, k
    w(1) = 0.01d0
    do i = 2, n
      w(i) = 0.01d0
      do k = 1, i - 1
        w(i) = w(i) + b(i, k) * w(i - k)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(w, n)
  end function
end module
