! Generic resolution by rank, type, number and keywords; optional arguments passed on.
module shapes
  implicit none
  interface area
    module procedure circle, rectangle, polygon
  end interface
contains
  real function circle(radius)
    real, intent(in) :: radius
    circle = 3*radius**2
  end function
  real function rectangle(width, height)
    real, intent(in) :: width
    real, intent(in) :: height
    rectangle = width*height
  end function
  real function polygon(x, y)
    real, intent(in) :: x(:), y(:)
    integer :: n
    n = size(x)
    polygon = abs(dot_product(x, cshift(y, 1)) - dot_product(y, cshift(x, 1)))/2
  end function
  real function given(h)
    real, intent(in), optional :: h
    given = 10
    if (present(h)) given = h
  end function
end module
program proc_keyword_optional_generic
  use shapes
  implicit none
  print *, area(radius=2.0), area(2.0, 3.0), area(height=4.0, width=2.5)
  print *, area([0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 3.0, 3.0])
end program
