! What pointers cannot point to.
program pointer_targets
  implicit none
  real, pointer :: p(:), q(:, :), one
  real, pointer, contiguous :: packed(:)
  integer, pointer :: i
  real, target :: t(10), m(3, 3), x
  real :: plain(3)
  character(len=4), pointer :: c
  character(len=5), target :: d
  packed => t(1:10:2)
  c => d
  one => (x)
  one => null(i)
  p(1:3) => null()
  q(1:3, 1:4) => t
  print *, associated(p, plain)
  ! Right ones:
  packed => t(2:5)
  q(1:3, 1:3) => t
  p(1:9) => m
  p => null(p)
  print *, associated(p, t), associated(q, m)
end program
