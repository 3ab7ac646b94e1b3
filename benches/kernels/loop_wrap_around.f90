! A scalar that follows one iteration behind
! check 4.557140158220078E+03
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
    call smooth(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine smooth(a, b, n)
    integer :: n, i, im1, im2
    real(8) :: a(n), b(n)
    im1 = n
    im2 = n - 1
    do i = 1, n
      a(i) = (b(i) + b(im1) + b(im2)) * 0.333d0
      im2 = im1
      im1 = i
    end do
  end subroutine
end module
