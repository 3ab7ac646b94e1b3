! Numbers read from a string
! check 6.501586999999999E+01
module kernel
  use support
  implicit none
  integer, parameter :: n = 20
  real(8) :: a(n), b(n)
  character(400) :: line
contains
  subroutine setup()
    call fill(b, n)
    write (line, '(20f10.5)') b
  end subroutine

  subroutine run()
    read (line, *) a
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
