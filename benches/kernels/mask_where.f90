! WHERE and ELSEWHERE
! check 4.380025585807000E+03
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
    where (b > 0.5d0)
      a = sqrt(b)
    elsewhere
      a = b * b
    end where
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
