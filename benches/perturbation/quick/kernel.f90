module sorts
  implicit none
contains
  subroutine insertion(a)
    integer, intent(inout) :: a(:)
    integer :: i, j, x
    do i = 2, size(a)
      x = a(i)
      j = i - 1
      do while (j >= 1)
        if (a(j) <= x) exit
        a(j + 1) = a(j)
        j = j - 1
      end do
      a(j + 1) = x
    end do
  end subroutine
  recursive subroutine quick(a)
    integer, intent(inout) :: a(:)
    integer :: p, i, j, t
    if (size(a) < 2) return
    p = a((1 + size(a))/2)
    i = 1; j = size(a)
    do
      do while (a(i) < p)
        i = i + 1
      end do
      do while (a(j) > p)
        j = j - 1
      end do
      if (i <= j) then
        t = a(i); a(i) = a(j); a(j) = t
        i = i + 1; j = j - 1
      end if
      if (i > j) exit
    end do
    if (j > 1) call quick(a(1:j))
    if (i < size(a)) call quick(a(i:))
  end subroutine
end module
