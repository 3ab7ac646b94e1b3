! INHERIT: other bounds at the caller, formats, grids, COMMON, sections, whole arrays under other shapes, calls that go on, absent and empty arrays.
module work
contains
  subroutine scale(x)
    real :: x(:, :)
!HPF$ INHERIT x
    integer :: i, j
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        x(i, j) = 2 * x(i, j) + i
      end do
    end do
  end subroutine

  subroutine shift(x, y)
    real :: x(-1:, 3:), y(:, :)
!HPF$ INHERIT x
!HPF$ INHERIT y
    integer :: i, j
    do j = 2, size(y, 2)
      do i = 1, size(y, 1) - 1
        y(i, j) = y(i, j) + x(i - 1, j + 1) - x(i - 2, j + 2)
      end do
    end do
    call scale(y)
    x(-1, 3) = y(1, 1)
  end subroutine

  subroutine maybe(x)
    real, optional :: x(:)
!HPF$ INHERIT x
    integer :: i
    if (.not. present(x)) return
    do i = 1, size(x)
      x(i) = x(i) - i
    end do
  end subroutine

  real function total(x, n)
    integer :: n, i
    real :: x(0:n - 1)
!HPF$ INHERIT x
    total = 0
    do i = 0, n - 1
      total = total + x(i)
    end do
  end function
end module

program inherit
  use work
  integer, parameter :: n = 13
  real :: a(n, n), b(0:n - 1, -4:n - 5), c(n, n), line(5:4 + n), turn(n)
  real, allocatable :: heap(:, :)
  common /shared/ c
  integer :: i, j
!HPF$ PROCESSORS p(2, 2)
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ DISTRIBUTE b(CYCLIC(2), BLOCK) ONTO p
!HPF$ DISTRIBUTE c(*, CYCLIC)
!HPF$ DISTRIBUTE line(BLOCK)
!HPF$ DISTRIBUTE turn(CYCLIC(3))
!HPF$ DISTRIBUTE heap(*, BLOCK)
  allocate (heap(2:n + 1, 0:n - 1))
  do j = 1, n
    do i = 1, n
      a(i, j) = i - j
      b(i - 1, j - 5) = i * j
      c(i, j) = mod(i, j)
      heap(i + 1, j - 1) = i + 10 * j
    end do
  end do
  do i = 1, n
    line(i + 4) = i
    turn(i) = -i
  end do
  call scale(a)
  call scale(b)
  call scale(c)
  call scale(heap)
  call scale(a(2:9, 3:7))
  call scale(b(0:10:2, :))
  call shift(a, b)
  call shift(b, c)
  call shift(c, heap)
  call shift(heap, a)
  call maybe
  call maybe(line)
  call maybe(turn)
  call maybe(turn(4:3))
  call maybe(c(:, 4))
  print '(5f12.2)', a(1, 1), b(3, 2), c(n, n), heap(2, 0), total(line, n)
  print '(3f14.2)', total(turn, n), total(a, n * n), total(turn(2:6), 5)
  call again
  print '(13f10.1)', c, a
  print '(13f10.1)', b, heap, line, turn
contains
  subroutine again
    integer :: k
    do k = 1, 3
      call scale(c)
      c = c / 2
      call scale(heap)
      heap = heap / 3
    end do
  end subroutine
end program
