! A triangular nest
! check 4.428596758157015E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    integer :: i, j
    do j = 2, n
      do i = 1, j - 1
        a(i, j) = b(i, j) + b(j, i)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
