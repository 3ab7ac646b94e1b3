! SOURCE= and MOLD= of another type or rank, and options given twice.
program allocate_source
  implicit none
  type one
    integer :: a
  end type
  type two
    integer :: a
  end type
  integer, allocatable :: i(:), j(:), k(:, :)
  integer(8) :: wide
  integer :: n, m(3, 3), stat
  real, allocatable :: x(:)
  type(one), allocatable :: a
  type(two) :: b
  allocate (i(4), source=42, source=n)
  allocate (i(4), source=1, mold=n)
  allocate (integer :: i(4), source=n)
  allocate (i(4), stat=stat, stat=n)
  allocate (x(4), source=n)
  allocate (i(4), source=wide)
  allocate (i(4), source=m)
  allocate (k, source=j)
  allocate (a, source=b)
  allocate (a, mold=b)
  allocate (i(4), j(3), source=n)
end program
