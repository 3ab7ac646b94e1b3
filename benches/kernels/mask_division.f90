! A guarded division
! check 6.300774566914344E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), c(n)
contains
  subroutine setup()
    call fill(b, n)
    call fill(c, n)
    where (c < 0.25d0) c = 0
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = 0
      if (c(i) /= 0) a(i) = b(i) / c(i)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
