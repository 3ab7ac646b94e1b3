! The target of a POINTER that a function returns on the left of an assignment.
module m
contains
  function ptr(a, i) result(p)
    integer, target :: a(:)
    integer :: i
    integer, pointer :: p
    p => a(i)
  end function
end module
use m
integer, target :: x(3) = 0
ptr(x,2) = 5
print *, x
end
