! Elemental operators and functions of a derived type over arrays, sections, results and pointers.
module m
  implicit none
  type p3
    real :: x, y, z
  end type
  interface operator(*)
    module procedure scale_p, scale_r
  end interface
  interface operator(-)
    module procedure sub, neg
  end interface
  interface norm
    procedure norm_p
  end interface
contains
  elemental type(p3) function scale_p(a, s)
    type(p3), intent(in) :: a
    real, intent(in) :: s
    scale_p = p3(a%x*s, a%y*s, a%z*s)
  end function
  elemental type(p3) function scale_r(s, a)
    real, intent(in) :: s
    type(p3), intent(in) :: a
    scale_r = a*s
  end function
  elemental type(p3) function sub(a, b)
    type(p3), intent(in) :: a, b
    sub = p3(a%x-b%x, a%y-b%y, a%z-b%z)
  end function
  elemental type(p3) function neg(a)
    type(p3), intent(in) :: a
    neg = p3(-a%x, -a%y, -a%z)
  end function
  elemental real function norm_p(a)
    type(p3), intent(in) :: a
    norm_p = sqrt(a%x**2 + a%y**2 + a%z**2)
  end function
  function path(n) result(r)
    integer, intent(in) :: n
    type(p3) :: r(n)
    integer :: i
    do i = 1, n
      r(i) = p3(i, 2*i, 2*i)
    end do
  end function
end module
program q
  use m
  implicit none
  type(p3) :: a(3), b
  type(p3), pointer :: ptr(:)
  type(p3), target :: pool(4)
  a = path(3)
  print *, norm(a), norm(a(3) - a(1))
  a = 2.0*a - path(3)*0.5
  print *, a%x, a(2)
  b = -a(1)
  print *, b%y, norm(-a)
  pool = path(4)
  ptr => pool(4:1:-2)
  ptr = ptr*10.0
  print *, pool%z, size(ptr), norm(ptr)
  print *, sum(norm(path(4))), maxval(norm(pool), mask=pool%x < 10)
  where (norm(a) > 5) a = a*0.0
  print *, a%z
end program
