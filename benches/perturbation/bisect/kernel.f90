module find
  implicit none
contains
  integer function where_is(x, v) result(k)
    real(8), intent(in) :: x(:), v
    integer :: i
    k = 0
    do i = 1, size(x)
      if (x(i) > v) then
        k = i
        exit
      end if
    end do
  end function
  integer function bisect(x, v) result(lo)
    real(8), intent(in) :: x(:), v
    integer :: hi, mid
    lo = 1
    hi = size(x)
    do while (lo < hi)
      mid = (lo + hi)/2
      if (x(mid) < v) then
        lo = mid + 1
      else
        hi = mid
      end if
    end do
  end function
end module
