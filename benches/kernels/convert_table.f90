! A table looked up by a real
! check 4.315258585843208E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), t(0:101)
contains
  subroutine setup()
    call fill(a, n)
    a = a * 100
    call fill(t, 102)
  end subroutine

  subroutine run()
    integer :: i, k
    do i = 1, n
      k = int(a(i))
      b(i) = t(k) + (a(i) - k) * (t(k + 1) - t(k))
    end do
  end subroutine

  real(8) function check()
    check = total(b, n)
  end function
end module
