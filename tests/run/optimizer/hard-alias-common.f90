! COMMON storage reached under other shapes by a procedure called in a loop.
program hard_alias_common
  implicit none
  integer :: m(3, 3), n, i, j
  common /area/ m, n
  n = 3
  do j = 1, n
    do i = 1, n
      m(i, j) = i + j
      if (i == j) call touch(i)
    end do
  end do
  print *, m, n
  do i = 1, n
    call shrink
    m(i, 1) = n
  end do
  print *, m, n, i
end program
subroutine touch(k)
  implicit none
  integer, intent(in) :: k
  integer :: v(9), limit
  common /area/ v, limit
  v(10 - k) = 100 * k
  v(1) = v(1) + limit
end subroutine
subroutine shrink
  implicit none
  integer :: w(10)
  common /area/ w
  w(10) = w(10) - 1
  w(9) = w(9) + w(1)
end subroutine
