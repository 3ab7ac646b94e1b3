! Single precision copied in columns
! check 1.138230493187904E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 50
  real(4) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill_short(b, n * n)
  end subroutine

  subroutine run()
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i, j) = b(i, j)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total_short(a, n * n)
  end function
end module
