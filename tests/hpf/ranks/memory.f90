! Allocatable, automatic and saved arrays, and MOVE_ALLOC.
program memory
  real, allocatable :: a(:), b(:)
!HPF$ DISTRIBUTE (BLOCK) :: a
!HPF$ DISTRIBUTE (CYCLIC) :: b
  integer :: i, k
  do k = 4, 8, 2
    allocate (a(k), b(0:k - 1))
    do i = 1, k
      a(i) = i * k
      b(i - 1) = a(i) / 2
    end do
    call automatic(k)
    deallocate (a)
    call move_alloc(b, a)
    do i = lbound(a, 1), ubound(a, 1)
      a(i) = a(i) + 1
    end do
    print '(8f8.1)', a
    deallocate (a)
  end do
  call saved(3)
  call saved(5)
  call saved(2)
contains
  subroutine automatic(n)
    integer, intent(in) :: n
    real :: w(n), v(2 * n)
!HPF$ DISTRIBUTE w(CYCLIC(2))
!HPF$ DISTRIBUTE v(BLOCK)
    integer :: j
    do j = 1, n
      w(j) = a(j) + b(n - j)
      v(2 * j) = w(j)
      v(2 * j - 1) = -j
    end do
    print '(8f8.1)', v, w
  end subroutine
  subroutine saved(m)
    integer, intent(in) :: m
    integer, save :: s(6) = [1, 2, 3, 4, 5, 6]
!HPF$ DISTRIBUTE s(BLOCK)
    integer :: j
    do j = 2, m
      s(j) = s(j) + s(j - 1)
    end do
    print *, s
  end subroutine
end program
