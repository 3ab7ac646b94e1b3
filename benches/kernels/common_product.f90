! Products of arrays that lie in one COMMON block
! check 2.272212830834485E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
contains
  subroutine setup()
    real(8) :: a(n), b(n), c(n)
    common /arrays/ a, b, c
    call fill(a, n)
    call fill(b, n)
    call fill(c, n)
  end subroutine

  subroutine run()
    real(8) :: a(n), b(n), c(n)
    common /arrays/ a, b, c
    integer :: i
    do i = 1, n
      c(i) = a(i) * b(i)
    end do
  end subroutine

  real(8) function check()
    real(8) :: a(n), b(n), c(n)
    common /arrays/ a, b, c
    check = total(c, n)
  end function
end module
