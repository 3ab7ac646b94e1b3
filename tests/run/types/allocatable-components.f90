! Allocatable components: deep copies, automatic deallocation, arrays of such structures.
module things
  implicit none
  type vec
    integer :: n = 0
    real, allocatable :: v(:)
  end type
  type bag
    character(:), allocatable :: label
    type(vec), allocatable :: items(:)
    integer, allocatable :: count
  end type
contains
  function make(n) result(r)
    integer, intent(in) :: n
    type(vec) :: r
    integer :: i
    r%n = n
    allocate (r%v(n))
    r%v = [(real(i), i = 1, n)]
  end function
  subroutine clear(x)
    type(vec), intent(out) :: x
    print *, x%n, allocated(x%v)
  end subroutine
  subroutine local(k)
    integer, intent(in) :: k
    type(bag) :: b
    allocate (b%items(k))
    b%items(k) = make(k)
    b%label = repeat('x', k)
    b%count = k
    print *, len(b%label), b%label, size(b%items), b%items(k)%v, b%count
  end subroutine
end module

program components
  use things
  implicit none
  type(vec) :: a, b, w(2)
  type(bag) :: x, y
  integer :: i
  print *, allocated(a%v), a%n
  a = make(3)
  b = a
  b%v(2) = 20
  print *, a%v, b%v, allocated(b%v)
  a%v = [a%v, 4.0, 5.0]
  print *, size(a%v), a%v
  w(1) = a
  w(2) = vec(2, [7.0, 8.0])
  print *, w(1)%v, w(2)%v, size(w(1)%v)
  w = w(2:1:-1)
  print *, w(1)%v, w(2)%n
  call clear(b)
  do i = 1, 3
    call local(i)
  end do
  x%label = 'first'
  allocate (x%items(2))
  x%items(1) = a
  x%items(2)%v = [1.0]
  y = x
  y%label = y%label // ' copy'
  y%items(1)%v(1) = -1
  print *, x%label, '|', y%label, '|', x%items(1)%v(1), y%items(1)%v(1), allocated(y%count)
  deallocate (x%items)
  print *, allocated(x%items), size(y%items)
  call move_alloc(a%v, b%v)
  print *, allocated(a%v), b%v
end program
