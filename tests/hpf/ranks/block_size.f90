! Sizes of blocks that are known when the program runs: dummy arguments and variables of modules, which change after the entry.
module sizes
  implicit none
  integer, parameter :: n = 23
  integer :: width = 5
  integer(2) :: short = 3
contains
  subroutine smooth(x, m, k)
    integer, intent(in) :: k
    integer, intent(inout) :: m
    real, intent(inout) :: x(k)
    real :: y(k), z(k, k)
!HPF$ DISTRIBUTE x(BLOCK(m))
!HPF$ ALIGN y(i) WITH x(i)
!HPF$ DISTRIBUTE z(CYCLIC(m), BLOCK(width))
    integer :: i, j
    m = m + 1
    do i = 1, k
      y(i) = x(i)
    end do
    do i = 2, k - 1
      x(i) = (y(i - 1) + y(i) + y(i + 1)) / 4
    end do
    do j = 1, k
      do i = 1, k
        z(i, j) = x(i) * y(j)
      end do
    end do
    width = width + 2
    do j = 2, k
      do i = 2, k
        z(i, j) = z(i, j) / 2 + z(i - 1, j - 1) / 4
      end do
    end do
    do i = 1, k
      x(i) = x(i) + z(i, k + 1 - i) / 8
    end do
  end subroutine

  subroutine in_turn(x)
    real, intent(inout) :: x(:)
    real, allocatable :: y(:)
!HPF$ DISTRIBUTE x(CYCLIC(short))
!HPF$ DISTRIBUTE y(BLOCK(width))
    integer :: i
    allocate (y(size(x)))
    do i = 1, size(x)
      y(i) = x(size(x) + 1 - i)
    end do
    short = short + 1_2
    x = x / 2 + cshift(y, 2)
  end subroutine
end module

! At the other entry there is no size.
subroutine first(x, m)
  use sizes, only: n
  implicit none
  integer :: m, i
  real :: x(n)
!HPF$ DISTRIBUTE x(BLOCK(m))
  x(1) = x(1) + m
  return
  entry second(x)
  do i = 1, n
    x(i) = x(i) / 2
  end do
end subroutine

program block_size
  use sizes
  implicit none
  real :: a(n)
!HPF$ DISTRIBUTE a(BLOCK)
  integer :: i, m
  do i = 1, n
    a(i) = i
  end do
  m = 4
  do i = 1, 4
    call smooth(a, m, n)
    call in_turn(a)
    call first(a, m)
    call second(a)
    print '(8f9.3)', a
  end do
  ! Too small for all elements: the last ranks have the rest.
  m = 1
  call smooth(a, m, n)
  print '(8f9.3)', a
  print *, m, width, short
end program
