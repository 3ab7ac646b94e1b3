! What a POINTER component of an INTENT(IN) argument points to may be changed.
module m
  type t
    integer, pointer :: point
    integer, pointer :: arr(:)
  end type
contains
  subroutine s(a)
    type(t), intent(in) :: a
    a%point = 7
    a%arr = 3
    a%arr(2) = 5
    call inc(a%point)
  end subroutine
  subroutine inc(i)
    integer, intent(inout) :: i
    i = i + 1
  end subroutine
end module
use m
type(t) :: x
allocate(x%point, x%arr(3))
call s(x)
print *, x%point, x%arr
end
