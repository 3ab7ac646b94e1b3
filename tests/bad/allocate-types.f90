! Types, lengths, shapes and statuses of ALLOCATE, and arguments that are not to be allocated.
program allocate_types
  implicit none
  real, allocatable :: a(:), b(:), c(:, :)
  integer, allocatable :: i, k(:)
  character(len=3), allocatable :: s
  character(len=:), allocatable :: t
  allocate (integer :: a(3))
  allocate (character(len=4) :: s)
  allocate (t)
  allocate (i, stat=i)
  allocate (a(3), source=[1.0, 2.0])
  allocate (a(3), errmsg=i)
  call move_alloc(a, a)
  call move_alloc(a, k)
  call move_alloc(a, c)
  ! Right ones:
  allocate (real :: a(3), b(4))
  allocate (character(len=3) :: s)
  allocate (character(len=5) :: t)
  call move_alloc(a, b)
contains
  subroutine inner(x, p)
    real, allocatable, intent(in) :: x(:)
    real, pointer, intent(in) :: p(:)
    allocate (x(3))
    deallocate (x)
    allocate (p(3))
    nullify (p)
  end subroutine
end program
