! What an optimizer must not assume: targets and pointers name the same memory, pointers move in loops.
module hard
  implicit none
  type cell
    real :: v = 0
    integer :: n = 0
    type(cell), pointer :: next => null()
  end type
  type grid
    integer :: n
    real, allocatable :: u(:), w(:)
  end type
contains
  subroutine sweep(g, k)
    type(grid), intent(inout) :: g
    integer, intent(in) :: k
    integer :: i, s
    do s = 1, k
      do i = 2, g%n - 1
        g%w(i) = 0.5 * (g%u(i - 1) + g%u(i + 1))
      end do
      do i = 2, g%n - 1
        g%u(i) = g%w(i)
      end do
    end do
  end subroutine
  subroutine shift(a, b, n)
    integer, intent(in) :: n
    real, pointer :: a(:), b(:)
    integer :: i
    do i = 1, n
      a(i) = b(i) + 1
    end do
  end subroutine
  subroutine twice(x, p)
    real, target :: x(:)
    real, pointer :: p
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) + p
    end do
  end subroutine
end module
program main
  use hard
  implicit none
  type(cell), pointer :: head, c, last
  type(cell), target :: ring(3)
  type(grid) :: g, h
  real, target :: a(10), s
  real, pointer :: p(:), q(:), ps
  integer, target :: k
  integer, pointer :: pk
  integer :: i, j
  a = [(real(i), i = 1, 10)]
  p => a(2:10)
  q => a(1:9)
  call shift(p, q, 9)
  print *, a
  a = [(real(i), i = 1, 10)]
  p(1:9) = q(1:9)
  print *, a
  a = [(real(i), i = 1, 10)]
  q = p
  print *, a
  ps => a(3)
  call twice(a, ps)
  print *, a
  s = 1
  ps => s
  do i = 1, 4
    ps = ps * 2
    s = s + 1
  end do
  print *, s, ps
  pk => k
  j = 0
  do k = 1, 5
    j = j + pk
  end do
  print *, j
  nullify (head)
  do i = 1, 5
    allocate (c)
    c%v = i
    c%next => head
    head => c
  end do
  c => head
  last => null()
  do while (associated(c))
    c%n = c%n + 1
    if (associated(last)) c%v = c%v + last%v
    last => c
    c => c%next
  end do
  c => head
  do while (associated(c))
    print *, c%v, c%n
    c => c%next
  end do
  do i = 1, 3
    ring(i)%v = i
    ring(i)%next => ring(mod(i, 3) + 1)
  end do
  c => ring(1)
  do i = 1, 10
    c%v = c%v + c%next%v
    c%next%n = c%next%n + i
    c => c%next
  end do
  print *, ring%v, ring%n
  g%n = 8
  allocate (g%u(8), g%w(8))
  g%u = 0
  g%u(1) = 1
  g%w = 0
  call sweep(g, 5)
  h = g
  call sweep(h, 5)
  print *, g%u
  print *, h%u
  do i = 1, 3
    h%u(i) = h%u(i) + g%u(i)
    h = g
    h%u(1) = h%u(1) + i
  end do
  print *, h%u(1), g%u(1)
  g%u = [g%u(1:2), h%u(1:2)]
  print *, size(g%u), g%u
  where (g%u > 0.9) g%u = g%u * 10
  forall (i = 1:2) g%u(i) = h%u(i + 1)
  print *, g%u
end program
