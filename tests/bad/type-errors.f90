! Mistakes with derived types and pointers.
module m
  implicit none
  type point
    real :: x, y
    real :: x
  end type
  type other
    type(later) :: l
    integer, pointer :: p(3)
    real, allocatable :: a(5)
  end type
  type secret
    private
    integer :: k = 1
  end type
end module
program bad
  use m
  implicit none
  type(point) :: p
  type(secret) :: s
  type(nothing) :: n
  real, pointer :: q(:)
  real :: z(5)
  real, target :: w(5, 5)
  integer, target :: i
  p%z = 1.0
  p = 3
  z(1) = p
  s%k = 2
  q => z
  q => w
  q => i
  p = point(1.0)
  p = point(1.0, 2.0, 3.0)
  p = point(x=1.0, z=2.0)
  z%x = 1
  allocate (z(3))
  nullify (z)
  print *, p%x(1)
  p%x => w(1, 1)
end program
