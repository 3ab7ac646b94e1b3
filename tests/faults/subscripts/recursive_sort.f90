! told at 7:24: Stack overflow in procedure 'sort'
program fault
  integer :: a(6) = (/ 3, 1, 2, 6, 5, 4 /)
  call sort(1, 6)
  print *, a
contains
  recursive subroutine sort(lo, hi)
    integer, intent(in) :: lo, hi
    integer :: i, j, p, t
    if (lo >= hi) return
    p = a((lo + hi) / 2)
    i = lo
    j = hi
    do while (i <= j)
      do while (a(i) <= p)
        i = i + 1
      end do
      do while (a(j) > p)
        j = j - 1
      end do
      if (i <= j) then
        t = a(i)
        a(i) = a(j)
        a(j) = t
        i = i + 1
        j = j - 1
      end if
    end do
    call sort(lo, j)
    call sort(i, hi)
  end subroutine
end program
