! Arguments that stay with their owners: the same mapping and others, handed on, as two arguments, in parts, of modules, allocatable, absent,
! to procedures without mappings and by procedure arguments.
module state
  integer, parameter :: n = 24
  real(8) :: u(n), w(n)
!HPF$ DISTRIBUTE u(BLOCK)
!HPF$ ALIGN w(i) WITH u(i)
contains
  subroutine smooth(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ ALIGN y(i) WITH x(i)
    integer :: i
    do i = 2, n - 1
      y(i) = (x(i - 1) + x(i + 1)) / 2
    end do
  end subroutine

  ! Reads the array of the module by its name, too.
  real(8) function beside(x)
    real(8), intent(in) :: x(n)
!HPF$ DISTRIBUTE x(BLOCK)
    real(8) :: t(n)
!HPF$ ALIGN t(i) WITH x(i)
    integer :: i
    do i = 1, n - 1
      t(i) = x(i + 1) + u(n + 1 - i)
    end do
    t(n) = 0
    beside = t(1) + t(n / 2)
  end function

  recursive subroutine descend(x, depth)
    real(8), intent(inout) :: x(n)
    integer, intent(in) :: depth
!HPF$ DISTRIBUTE x(BLOCK)
    integer :: i
    if (depth == 0) return
    do i = 1, n
      x(i) = x(i) + depth
    end do
    call descend(x, depth - 1)
    call turned(x, n)
    do i = 1, n
      x(i) = x(i) * 1.5d0
    end do
  end subroutine

  subroutine perhaps(x, y)
    real(8), intent(inout) :: x(:)
    real(8), intent(inout), optional :: y(:)
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ DISTRIBUTE y(BLOCK)
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) + 1
    end do
    if (present(y)) then
      do i = 1, size(y)
        y(i) = y(i) - x(i)
      end do
    end if
    call bare(x, size(x))
  end subroutine
end module

program arguments
  use state
  implicit none
  real(8) :: a(n), b(n), c(0:n - 1), g(6, 8)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
!HPF$ DISTRIBUTE c(BLOCK)
!HPF$ DISTRIBUTE g(*, BLOCK)
  real(8), allocatable :: d(:)
!HPF$ DISTRIBUTE d(CYCLIC)
  external :: bare, turned, both, apply
  real(8), external :: total
  integer :: i, k
  do i = 1, n
    a(i) = i
    b(i) = -i
    u(i) = i * i
    w(i) = 0
  end do
  do i = 0, n - 1
    c(i) = 2 * i
  end do
  do k = 1, 3
    call smooth(a, b)
    call smooth(b, a)
    call smooth(u, w)
    call smooth(w, u)
  end do
  print '(12f9.3)', a, b
  print '(12f9.3)', u, w
  call turned(a, n)
  call turned(u, n)
  call turned(c, n)
  do i = 1, n - 1
    b(i) = a(i + 1) + u(i) + c(i)
  end do
  print '(12f9.3)', b, c
  call descend(a, 3)
  call descend(u, 2)
  print '(12f12.3)', a, u
  call both(a, a, n)
  print *, beside(u), beside(a)
  do k = 1, 8
    do i = 1, 6
      g(i, k) = i + 10 * k
    end do
  end do
  ! Columns, a part, other shapes of the same memory.
  call turned(g(1, 3), 6)
  call turned(g, 48)
  call turned(g(:, 2), 6)
  call turned(g(2, :), 8)
  print '(8f9.3)', g
  allocate (d(10))
  do i = 1, 10
    d(i) = i
  end do
  call perhaps(d)
  call perhaps(d, b(1:10))
  call perhaps(a, b)
  print '(12f12.3)', d, a(1:5), b(1:12)
  print '(3f14.3)', total(a, n), total(d, 10), total(u(3), 4)
  call apply(turned, a, n)
  call apply(bare, b, n)
  call bare(a, n)
  call smooth(a, b)
  print '(12f12.3)', a, b
end program

subroutine turned(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
!HPF$ DISTRIBUTE x(CYCLIC(2))
  real(8) :: t(n)
!HPF$ ALIGN t(i) WITH x(i)
  integer :: i
  do i = 1, n
    t(i) = x(n + 1 - i)
  end do
  do i = 1, n
    x(i) = t(i) + 0.25d0
  end do
end subroutine

subroutine bare(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i) * 0.5d0
  end do
  call turned(x, n)
  x(1) = x(1) + x(n)
end subroutine

subroutine both(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ DISTRIBUTE y(CYCLIC)
  real(8) :: t(n)
!HPF$ DISTRIBUTE t(BLOCK)
  integer :: i
  do i = 1, n
    t(i) = x(i) + y(n + 1 - i)
  end do
  print '(12f9.3)', t
end subroutine

subroutine apply(f, x, n)
  external :: f
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
!HPF$ DISTRIBUTE x(BLOCK)
  integer :: i
  do i = 1, n
    x(i) = x(i) + i
  end do
  call f(x, n)
  do i = n, 2, -1
    x(i) = x(i) - x(i - 1)
  end do
end subroutine

! Reads and stores in a loop that is no nest.
real(8) function total(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
!HPF$ DISTRIBUTE x(CYCLIC)
  integer :: i
  total = 0
  i = 1
  do while (i <= n)
    total = total + x(i)
    x(i) = x(i) + 1
    i = 2 * i
  end do
end function
