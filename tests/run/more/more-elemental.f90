! Elemental and pure procedures of our own on scalars, arrays and sections.
module elements
  implicit none
contains
  elemental integer function clamp(x, low, high)
    integer, intent(in) :: x, low, high
    clamp = max(low, min(x, high))
  end function clamp
  pure double precision function area(w, h)
    double precision, intent(in) :: w, h
    area = w * h
  end function area
  elemental subroutine double_it(x)
    integer, intent(inout) :: x
    x = 2 * x
  end subroutine double_it
end module elements
program more_elemental
  use elements
  implicit none
  integer :: v(6) = (/ -5, 0, 3, 8, 12, 99 /), w(2, 3)
  print *, clamp(20, 1, 9)
  print *, clamp(v, 0, 10)
  print *, clamp(v(1:5:2), (/ 0, 1, 2 /), 7)
  w = reshape(v, (/ 2, 3 /))
  call double_it(w)
  print *, w
  call double_it(v(2:4))
  print *, v
  print *, area(2.0d0, 3.5d0)
end program
