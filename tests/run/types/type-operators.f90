! Operators, assignment and generic names on a derived type.
module vec
  implicit none
  type v3
    real :: x = 0, y = 0, z = 0
  end type
  interface operator(+)
    module procedure add
  end interface
  interface operator(*)
    module procedure scale, dot
  end interface
  interface assignment(=)
    module procedure from_array
  end interface
  interface show
    module procedure show_v, show_r
  end interface
contains
  elemental function add(a, b) result(c)
    type(v3), intent(in) :: a, b
    type(v3) :: c
    c = v3(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  elemental function scale(f, a) result(c)
    real, intent(in) :: f
    type(v3), intent(in) :: a
    type(v3) :: c
    c = v3(f * a%x, f * a%y, f * a%z)
  end function
  pure function dot(a, b) result(d)
    type(v3), intent(in) :: a, b
    real :: d
    d = a%x * b%x + a%y * b%y + a%z * b%z
  end function
  subroutine from_array(a, r)
    type(v3), intent(out) :: a
    real, intent(in) :: r(3)
    a%x = r(1)
    a%y = r(2)
    a%z = r(3)
  end subroutine
  subroutine show_v(a)
    type(v3), intent(in) :: a
    print '(3f8.3)', a%x, a%y, a%z
  end subroutine
  subroutine show_r(a)
    real, intent(in) :: a
    print '(f8.3)', a
  end subroutine
end module
program p
  use vec
  implicit none
  type(v3) :: a, b, c(3)
  integer :: i
  a = [1.0, 2.0, 3.0]
  b = 2.0 * a + v3(1.0, 1.0, 1.0)
  call show(b)
  call show(a * b)
  do i = 1, 3
    c(i) = real(i) * a
  end do
  c(1) = c(2) + c(3)
  call show(c(1))
  print *, c%y
end program
