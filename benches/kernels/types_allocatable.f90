! Allocatable components
! check 2.242872135758400E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 500
  type field
    real(8), allocatable :: v(:)
    integer :: n
  end type
  type(field) :: f, g
contains
  subroutine setup()
    f%n = n
    g%n = n
    allocate (f%v(n), g%v(n))
    call fill(f%v, n)
  end subroutine

  subroutine run()
    integer :: i
    do i = 2, f%n - 1
      g%v(i) = (f%v(i - 1) + f%v(i) + f%v(i + 1)) / 3
    end do
    g%v(1) = f%v(1)
    g%v(n) = f%v(n)
  end subroutine

  real(8) function check()
    check = total(g%v, n)
  end function
end module
