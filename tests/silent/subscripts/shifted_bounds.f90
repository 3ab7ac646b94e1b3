! Bounds other than one: of dummies, of pointers, of allocatables.
program right
  real, allocatable :: a(:, :)
  real, pointer :: p(:)
  real, target :: t(0:4)
  integer :: i
  allocate (a(-2:2, 0:1))
  a = 0
  a(-2, 0) = 1
  a(2, 1) = 2
  t = (/ (real(i), i = 0, 4) /)
  p => t
  call s(a, t)
  print *, sum(a), p(lbound(p, 1)), p(ubound(p, 1)), t(0)
contains
  subroutine s(x, y)
    real, intent(inout) :: x(0:, :), y(-1:)
    x(0, 1) = x(0, 1) + 1
    x(4, 2) = x(4, 2) + 1
    y(-1) = 5
    y(3) = 6
  end subroutine
end program
