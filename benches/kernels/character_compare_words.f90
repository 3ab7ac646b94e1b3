! Words of eight letters compared
! check 2.000000000000000E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 200
  character(8) :: a(n)
  integer :: k
contains
  subroutine setup()
    integer :: i, j
    do i = 1, n
      do j = 1, 8
        a(i)(j:j) = achar(97 + mod(draw() / 16, 3))
      end do
    end do
  end subroutine

  subroutine run()
    integer :: i
    k = 0
    do i = 2, n
      if (a(i) < a(i - 1)) k = k + 1
      if (a(i)(1:2) == a(i - 1)(1:2)) k = k + 100
    end do
  end subroutine

  real(8) function check()
    check = k
  end function
end module
