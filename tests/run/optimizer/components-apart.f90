! Memory of ALLOCATABLE components: that of different components and objects is apart, that of one component, of a target and of moved memory is not
module fields
  implicit none
  type leaf
    real(8), allocatable :: w(:)
  end type
  type field
    real(8), allocatable :: v(:), u(:)
    integer, allocatable :: k(:)
    type(leaf), allocatable :: l(:)
    integer :: n
  end type
contains
  subroutine smooth(f, g)
    type(field), intent(in) :: f
    type(field), intent(inout) :: g
    integer :: i
    do i = 2, f%n - 1
      g%v(i) = (f%v(i - 1) + f%v(i) + f%v(i + 1)) / 3
      g%u(i) = g%v(i) + f%u(i)
    end do
  end subroutine

  subroutine shift(f)
    type(field), intent(inout) :: f
    integer :: i
    ! An iteration reads what the one before wrote, under one name in two statements
    do i = 2, f%n
      f%v(i) = f%v(i - 1) + 1
      f%u(i) = f%v(i) + f%u(i - 1)
    end do
  end subroutine

  subroutine grow(f, n)
    type(field), intent(inout) :: f
    integer, intent(in) :: n
    f%v(1) = 5
    f%v = [f%v, 7d0]
    f%v(2) = f%v(1) + f%v(n + 1)
  end subroutine

  subroutine through(f, p)
    type(field), target, intent(inout) :: f
    real(8), pointer :: p(:)
    integer :: i
    do i = 2, f%n
      f%v(i) = p(i - 1) + 1
    end do
  end subroutine

  subroutine leaves(f, a, b)
    type(field), intent(inout) :: f
    integer, intent(in) :: a, b
    integer :: i
    do i = 2, size(f%l(1)%w)
      f%l(a)%w(i) = f%l(b)%w(i - 1) + f%v(i)
    end do
  end subroutine

  subroutine exchange(f, g, n)
    type(field), intent(inout) :: f, g
    integer, intent(in) :: n
    real(8), allocatable :: t(:)
    real(8) :: s
    integer :: round, i
    s = 0
    do round = 1, n
      s = s + g%v(3)
      f%v(3) = f%v(3) + round
      call move_alloc(g%v, t)
      call move_alloc(f%v, g%v)
      call move_alloc(t, f%v)
      f%v(3) = f%v(3) * 2
      do i = 4, 12
        f%v(i) = g%v(i - 1) + 1
      end do
      s = s + g%v(3) + f%v(5)
    end do
    print '(f14.4)', s
  end subroutine
end module

program components_apart
  use fields
  implicit none
  integer, parameter :: n = 23
  type(field), save :: f, g
  type(field), save, target :: h
  type(field) :: many(3)
  real(8), pointer :: p(:)
  integer :: i, j
  call start(f, 1)
  call start(g, 2)
  call start(h, 3)
  do j = 1, 3
    call start(many(j), j)
  end do
  call smooth(f, g)
  print '(2f14.4)', sum(g%v), sum(g%u)
  call shift(f)
  print '(2f14.4)', sum(f%v), sum(f%u)
  p => h%v
  call through(h, p)
  do i = 2, n
    h%v(i) = p(i - 1) * 0.5d0
    p(i) = h%v(i) + 2
  end do
  print '(f14.4)', sum(h%v)
  call leaves(f, 1, 2)
  call leaves(f, 2, 2)
  print '(2f14.4)', sum(f%l(1)%w), sum(f%l(2)%w)
  call exchange(f, g, 5)
  print '(2f14.4)', sum(f%v), sum(g%v)
  do j = 1, 2
    do i = 2, n
      many(j)%v(i) = many(j + 1)%v(i - 1) + many(3 - j)%v(i) + many(j)%u(i)
      many(j)%k(i) = many(j)%k(i - 1) + 2
    end do
  end do
  print '(2f14.4, i6)', sum(many(1)%v), sum(many(2)%v), sum(many(1)%k)
  g = f
  g%v(1) = 100
  f%v(2) = g%v(1) + f%v(1)
  print '(2f14.4)', f%v(1), f%v(2)
  call grow(f, n)
  print '(i4, 3f14.4)', size(f%v), f%v(1), f%v(2), f%v(n + 1)
  f = g
  f%v(1:n - 1) = f%v(2:n) + g%v(1:n - 1)
  print '(2f14.4)', sum(f%v), sum(g%v)
contains
  subroutine start(x, m)
    type(field), intent(inout) :: x
    integer, intent(in) :: m
    integer :: q
    x%n = n
    allocate (x%v(n), x%u(n), x%k(n), x%l(2))
    do q = 1, n
      x%v(q) = mod(q * (m + 2), 7)
      x%u(q) = mod(q * (m + 4), 5)
      x%k(q) = q
    end do
    do q = 1, 2
      allocate (x%l(q)%w(n))
      x%l(q)%w = q
    end do
  end subroutine
end program
