! Allocatable arrays, jumps, REALIGN to arrays of either state, several objects in one directive.
program remap_jumps
  integer :: n, i, k
  real, allocatable :: a(:), b(:), c(:)
!HPF$ DYNAMIC a, b, c
!HPF$ DISTRIBUTE (BLOCK) :: a, c
!HPF$ ALIGN b(i) WITH a(i)
  real :: e(0:20)
!HPF$ DYNAMIC e
  n = 9
  do k = 1, 3
    allocate (a(n), b(n), c(n))
    do i = 1, n
      a(i) = i * k
      b(i) = -i
      c(i) = 0
    end do
    i = 0
10  i = i + 1
    if (i > 3) goto 20
    if (i == 2) then
!HPF$ REDISTRIBUTE (CYCLIC) :: a, c
    end if
    do j = 1, n - 1
      b(j) = a(j + 1) + c(j)
    end do
    do j = 1, n
      c(j) = a(j) - b(j)
    end do
    goto 10
20  continue
    if (k == 2) then
!HPF$ REALIGN c(i) WITH a(n + 1 - i)
    end if
    do j = 1, n
      c(j) = c(j) + a(j) * b(j)
      e(j) = c(j)
    end do
!HPF$ REDISTRIBUTE a(BLOCK(12))
    do j = 2, n
      c(j) = c(j) + c(j - 1)
      a(j) = a(j - 1) + c(j)
    end do
!HPF$ REDISTRIBUTE e(BLOCK)
    do j = 1, n
      e(j + 5) = e(j) + c(j)
    end do
    print '(9f10.1)', a, b, c, e(1:n)
    deallocate (a, b, c)
    n = n + 1
    if (n == 11) exit
  end do
end program
