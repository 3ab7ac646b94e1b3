! Objects that are named twice in a statement, or are part of another.
program twice
  type t
    integer, allocatable :: x(:), y(:)
  end type
  type(t), allocatable :: v(:)
  integer, allocatable :: a(:), b(:)
  integer :: i
  allocate (a(3), b(3), a(4))
  allocate (v(2), v(1)%x(2))
  allocate (v(1)%x(2), v(i)%x(2), v(1)%y(2))
  deallocate (v(1)%x, v(1)%x)
  deallocate (v(1)%y, v)
  deallocate (a, b)
end program
