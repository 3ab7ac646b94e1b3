! RESHAPE to the shape of arrays whose extents are known at run time only: allocatable ones, pointers and dummy arguments.
program main
  implicit none
  real, allocatable :: a(:, :)
  real, pointer :: q(:)
  integer :: i
  allocate(a(2, 3), q(6))
  a = reshape([(real(i), i = 1, 6)], shape(a))
  print '(6f5.1)', a
  q = reshape(a, shape(q))
  print '(6f5.1)', q
  call turn(a, a)
  print '(6f5.1)', reshape(a, ubound(a), order = [2, 1])
contains
  subroutine turn(x, like)
    real, intent(inout) :: x(:, :)
    real, intent(in) :: like(:, :)
    x = reshape(-x, shape(like), order = [2, 1])
    print '(6f5.1)', x
    print '(2i3)', shape(reshape(x, shape(like) + 0))
  end subroutine
end program
