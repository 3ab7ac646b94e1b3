! FORALL with assignments that subroutines define, with a mask and array sections.
module m
  type t
    integer :: v = 0
    character(3) :: c
  end type
  interface assignment(=)
    module procedure from_int, to_int
  end interface
contains
  elemental subroutine from_int(a, i)
    type(t), intent(out) :: a
    integer, intent(in) :: i
    a%v = 2*i
    a%c = 'abc'
  end subroutine
  elemental subroutine to_int(i, a)
    integer, intent(out) :: i
    type(t), intent(in) :: a
    i = a%v + 1
  end subroutine
end module
use m
type(t) :: x(3,2)
integer :: k(3,2), i, j
forall(i=1:3, j=1:2) k(i,j) = 10*i+j
forall(i=1:3, j=1:2, i /= 2) x(i,j) = k(i,j)
k = 0
forall(i=1:3, j=1:2) k(4-i,j) = x(i,j)
print '(6i5)', k
do i = 1, 2
 forall(j=1:2) x(:,j) = k(:,3-j)
end do
print *, x%v
end
