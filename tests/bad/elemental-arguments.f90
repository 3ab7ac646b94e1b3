! What an elemental procedure cannot have.
module m
  implicit none
contains
  elemental real function f(a, b, g)
    real, intent(in) :: a(3)
    real, intent(in), pointer :: b
    interface
      pure real function g(x)
        real, intent(in) :: x
      end function
    end interface
    f = a(1) + b
  end function
  elemental function v(x)
    real, intent(in) :: x
    real :: v(2)
    v = x
  end function
  elemental subroutine s(x, y, z)
    real, intent(in) :: x
    real :: y
    real, value :: z
  end subroutine
end module
