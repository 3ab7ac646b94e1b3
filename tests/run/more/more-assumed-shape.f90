! Assumed-shape arguments of module procedures: sections with strides, bounds.
module shapes
  implicit none
contains
  subroutine show(a)
    integer, intent(in) :: a(:)
    print *, size(a), lbound(a), ubound(a), a
  end subroutine show
  subroutine scale(a, f)
    integer, intent(inout) :: a(:, 0:)
    integer, intent(in) :: f
    print *, shape(a), lbound(a), ubound(a)
    a(1, 0) = a(1, 0) * f
    a(:, ubound(a, 2)) = f
  end subroutine scale
end module shapes
program more_assumed_shape
  use shapes
  implicit none
  integer :: v(10), m(4, 4), i
  v = (/ (i, i = 1, 10) /)
  call show(v)
  call show(v(2:9:3))
  call show(v(10:1:-4))
  call show(v(5:4))
  m = reshape((/ (i, i = 1, 16) /), (/ 4, 4 /))
  call show(m(2, :))
  call scale(m(2:4:2, 1:3), 100)
  print *, m
end program
