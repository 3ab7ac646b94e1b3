! What an iteration leaves is read where a later one leaves to, though it is overwritten where the loop ends.
program keeps
  implicit none
  integer :: i, j, last, found(3)
  real :: x(9)
  do i = 1, 9
    x(i) = mod(i*7, 10) - 5.5
  end do
  last = -1
  found = 0
  outer: do j = 1, 3
    do i = 1, 9
      if (x(i) > 3.0 - j) exit outer
      last = 10*i
    end do
    last = 7
    found(j) = i
  end do outer
  print *, last, i, j, found
  call search(x, 9, 0.0)
  call search(x, 9, 99.0)
contains
  subroutine search(a, n, limit)
    integer, intent(in) :: n
    real, intent(in) :: a(n), limit
    integer :: k, low
    low = 0
    do k = 1, n
      if (a(k) > limit) goto 20
      low = k
    end do
    low = -5
20  continue
    print *, low, k
  end subroutine
end program
