! The kind of .AND. and .OR. with a call on the right is that of both operands, and so is the specific procedure.
module m
  interface tell
    procedure t4, t8, t1
  end interface
contains
  subroutine t4(x); logical, intent(in) :: x; print *, 'l4', x; end
  subroutine t8(x); logical(8), intent(in) :: x; print *, 'l8', x; end
  subroutine t1(x); logical(1), intent(in) :: x; print *, 'l1', x; end
  logical(1) function f(n); integer, intent(in) :: n; print *, 'f', n; f = n > 1; end
end
use m
logical(8) :: a = .true.
logical(1) :: b = .false.
call tell(a .and. f(2))
call tell(b .or. f(1))
call tell(f(3) .and. f(1) .or. a)
call tell(f(3) .and. .true.)
print *, kind(a .and. f(2))
end
