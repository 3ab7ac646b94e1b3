! An allocatable component that is not allocated is passed to an allocatable dummy argument, and asked for.
module m
  type t
    integer, allocatable :: v(:)
  end type
contains
  subroutine fill(v, n)
    integer, allocatable, intent(inout) :: v(:)
    integer, intent(in) :: n
    if (.not. allocated(v)) allocate (v(n))
    v = n
  end subroutine
end module
program right
  use m
  type(t) :: x(2)
  call fill(x(1)%v, 3)
  call fill(x(2)%v, 0)
  print *, x(1)%v, size(x(2)%v), allocated(x(2)%v)
end program
