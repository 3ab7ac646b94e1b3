! told at 7:13: Allocatable actual argument 'x%v' is not allocated
program fault
  type t
    real, allocatable :: v(:)
  end type
  type(t) :: x
  call show(x%v)
contains
  subroutine show(y)
    real, intent(in) :: y(:)
    print *, size(y)
  end subroutine
end program
