! Binary search
! check 1.387950000000000E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1024, m = 300
  real(8) :: a(n), key(m)
  integer :: at(m)
contains
  subroutine setup()
    integer :: i
    do i = 1, n
      a(i) = i
    end do
    call fill(key, m)
    key = key * n
  end subroutine

  subroutine run()
    integer :: i, lo, hi, mid
    do i = 1, m
      lo = 1
      hi = n
      do while (lo < hi)
        mid = (lo + hi) / 2
        if (a(mid) < key(i)) then
          lo = mid + 1
        else
          hi = mid
        end if
      end do
      at(i) = lo
    end do
  end subroutine

  real(8) function check()
    check = total_integers(at, m)
  end function
end module
