subroutine insertion(a, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: a(n)
  integer :: i, j, x
  do i = 2, n
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

subroutine heap(a, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: a(n)
  integer :: i, x
  do i = n / 2, 1, -1
    call sift(a, i, n)
  end do
  do i = n, 2, -1
    x = a(1)
    a(1) = a(i)
    a(i) = x
    call sift(a, 1, i - 1)
  end do
end subroutine

subroutine sift(a, from, n)
  implicit none
  integer, intent(in) :: from, n
  integer, intent(inout) :: a(*)
  integer :: i, j, x
  i = from
  x = a(i)
  do
    j = 2 * i
    if (j > n) exit
    if (j < n) then
      if (a(j) < a(j + 1)) j = j + 1
    end if
    if (a(j) <= x) exit
    a(i) = a(j)
    i = j
  end do
  a(i) = x
end subroutine
