! Elements above a limit, packed
! check 3.465287361979485E+03
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
    integer :: i, k
    k = 0
    do i = 1, n
      if (b(i) > 0.5d0) then
        k = k + 1
        a(k) = b(i)
      end if
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
