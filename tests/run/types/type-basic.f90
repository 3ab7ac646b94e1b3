! Derived types: components in every position, nested, arrays of them, assignment, constructors.
module shapes
  implicit none
  type point
    real :: x, y
  end type
  type box
    integer :: id = 7
    type(point) :: corner(2)
    character(5) :: name = 'none'
    logical :: open = .true.
    complex :: z
    double precision :: w(3)
  end type
  type(box) :: shared
  type(point), parameter :: origin = point(0.0, 0.0)
  type(point), parameter :: units(2) = [point(1.0, 0.0), point(0.0, 1.0)]
contains
  function middle(b) result(p)
    type(box), intent(in) :: b
    type(point) :: p
    p%x = (b%corner(1)%x + b%corner(2)%x) / 2
    p%y = (b%corner(1)%y + b%corner(2)%y) / 2
  end function
  subroutine move(p, dx)
    type(point), intent(inout) :: p(:)
    real, intent(in) :: dx
    integer :: i
    do i = 1, size(p)
      p(i)%x = p(i)%x + dx
    end do
  end subroutine
  subroutine scale(v, n, f)
    integer, intent(in) :: n
    real, intent(inout) :: v(n)
    real, intent(in) :: f
    v = v * f
  end subroutine
end module

program basic
  use shapes
  implicit none
  type(box) :: a, b(3)
  type(point) :: p, q(4), r
  integer :: i, j
  p = point(1.5, 2.5)
  q = p
  q(2) = point(y = 3.0, x = 4.0)
  print *, p%x, p%y, q(2)%x, q(2)%y
  print *, q
  a%corner(1) = p
  a%corner(2) = point(3.5, 8.5)
  a%z = (1.0, 2.0)
  a%w = [1d0, 2d0, 3d0]
  print *, a%id, a%name, a%open, a%z, a%w
  b = a
  b(2)%name = 'two'
  b(2)%name(2:3) = 'ow'
  b(3)%corner(2)%y = -1.0
  do i = 1, 3
    b(i)%id = 10 * i
    do j = 1, 3
      b(i)%w(j) = i + j / 10d0
    end do
  end do
  print *, b%id, b(:)%name
  print *, b(1:3:2)%w(2), sum(b%w(1)), maxval(b(:)%id)
  print *, b(3)%corner(2)%y, b(2)%w
  r = middle(a)
  print *, r, middle(b(3))
  call move(q, 1.0)
  print *, q%x
  call move(q(1:4:2), 10.0)
  print *, q(:)%x
  call scale(q%y, 4, 2.0)
  print *, q%y
  shared%corner(1)%x = 5.0
  shared%id = shared%id + 1
  print *, shared%id, shared%corner(1)%x, shared%name, shared%open
  print *, origin%x, units(2)%y, units%x
  b(1:2)%id = b(2:3)%id
  print *, b%id
  b%corner(1)%x = b%id * 2.0
  print *, b%corner(1)%x
  where (b%id > 20) b%id = 0
  print *, b%id
  q = [(point(real(i), real(i * i)), i = 1, 4)]
  print *, q
end program
