! Bounds of indices that depend on indices of the same statement, and components without keyword after one with it.
program forall_bounds
  implicit none
  integer :: i, j, a(3, 3)
  type t
    integer :: k
    real :: x
  end type
  type(t) :: v
  forall (i = 1:3, j = 1:i) a(i, j) = 0
  do concurrent (i = j:3, j = 1:2)
    a(i, j) = 1
  end do
  forall (i = 1:3)
    forall (j = 1:i) a(i, j) = 2
  end forall
  v = t(k=42, 1.5)
end program
