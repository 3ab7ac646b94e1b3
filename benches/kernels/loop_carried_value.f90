! A value that is carried to the next iteration
! check 4.562326328963041E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: s, t
    t = 0
    do i = 1, n
      s = b(i) * 0.5d0
      a(i) = s + t
      t = s
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
